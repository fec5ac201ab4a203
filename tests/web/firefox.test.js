/* The viewer in Firefox: a world by one click, drawn and moving, steered by a key, paused and stepped. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { lacksFirefox, startFirefox } from "./firefox.js";
import { cannotRun, eventually, pictures, startTheatre } from "./harness.js";
import { decodePng } from "./image.js";

const WIDTH = 900, HEIGHT = 560;

describe("in Firefox", { skip: cannotRun() || lacksFirefox() }, () => {
    let theatre, firefox;

    before(async () => {
        theatre = await startTheatre();
        firefox = await startFirefox();
        await firefox.open(theatre.url, WIDTH, HEIGHT);
    });
    after(async () => {
        await firefox?.stop();
        await theatre?.stop();
    });

    const until = (expression) => eventually(() => firefox.evaluate(expression), expression);

    test("one click starts a world whose character is drawn", async () => {
        await until("document.querySelector('.hero button')?.disabled === false");
        await firefox.evaluate("document.querySelector('.hero button').click()");
        await until("window.troupe?.firstPictureMs > 0");
        await until("window.troupe.frames > 5");
        const bytes = await firefox.picture();
        mkdirSync(pictures, { recursive: true });
        writeFileSync(join(pictures, "firefox.png"), bytes);
        const { width, rgb } = decodePng(bytes);
        assert.equal(width, WIDTH);
        assert.ok(orange(rgb) > 200, `${orange(rgb)} pixels of the character`);
        assert.deepEqual(firefox.complaints, []);
    });

    test("time passes, and stands still while it is paused", async () => {
        const [world] = await theatre.client.worlds();
        const from = await firefox.evaluate("Number(window.troupe.shown().tick)");
        await until(`Number(window.troupe.shown().tick) > ${from} + 20`);
        await firefox.press(" ");
        await eventually(async () => (await theatre.client.world(world.id)).paused);
        await firefox.press(" ");
        await eventually(async () => !(await theatre.client.world(world.id)).paused);
    });

    test("a skill's button steers, and a key pushes", async () => {
        await until("document.querySelectorAll('.skills .chip').length > 2");
        await firefox.evaluate("document.querySelector(\".skills [data-name='walk-slow']\").click()");
        await until("document.querySelector(\".skills [data-name='walk-slow']\").ariaPressed === 'true'");
        await firefox.press("l");
        await until("document.querySelector('.hints li.done') !== null");
        assert.deepEqual(firefox.complaints, []);
    });
});

/** Pixels in the colour of the first character, lit or shaded. */
function orange(rgb) {
    let count = 0;
    for (let i = 0; i < rgb.length; i += 3) if (rgb[i] > 90 && rgb[i] > 1.4 * rgb[i + 1] && rgb[i + 1] > 1.5 * rgb[i + 2] && rgb[i + 2] < 90) count++;
    return count;
}
