"""Pictures of worlds by numpy alone: the bodies that the viewer shows, drawn by the processor.

    renderer = Renderer(client, width=480, height=360)
    picture = renderer.draw(client.ask(requests.get_state(world, Renderer.FIELDS)))     # [height][width][3] uint8

The environments' `render()` uses it. A model's skin is made once, in about a second.
"""

from troupe.drawing.camera import Camera
from troupe.drawing.renderer import Renderer

__all__ = ["Camera", "Renderer"]
