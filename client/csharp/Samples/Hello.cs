// Pushes a character in a new world and prints where it is. Usage: Hello.exe [PORT]
using System;
using Troupe;
using Troupe.Messages;

public static class Hello {
    public static void Main(string[] words) {
        var options = new ClientOptions { Port = words.Length > 0 ? int.Parse(words[0]) : 7400 };
        using (var client = new Client(options)) {
            client.Ask(Requests.CreateWorld("yard", WorldMode.Stepped));
            client.Ask(Requests.SpawnCharacter("yard", "walk", label: "ada"));
            client.Ask(Requests.Push("yard", "ada", new Vec3(0, 60, 0), 0.2));
            client.Ask(Requests.Step("yard", 400));
            CharacterState ada = client.Ask(Requests.GetState("yard")).Characters[0];
            Console.WriteLine("x {0:F2} m, {1}", ada.RootPos[0], ada.Fallen ? "fallen" : "on its feet");
            client.Ask(Requests.DestroyWorld("yard"));
        }
    }
}
