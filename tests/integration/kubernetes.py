"""deploy/kubernetes: valid by the schemas in tests/data/kubernetes, and in agreement with itself and with the daemon.

The schemas hold the fields used, written by hand after the published definitions; they are closed, so that a misspelt
field fails. No cluster is needed, and none is there: what only one could show is listed in deploy/kubernetes/README.md.
"""

import copy
import glob
import json
import re
import shutil
import subprocess
import tempfile

import jsonschema
import yaml

from agones import Sidecar
from harness import *

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(SOURCE, "deploy/kubernetes")
ENDING_S = 30  # of the daemon, after its drain


def read(path):
    with open(path) as file:
        return file.read()


def schema(kind):
    return json.loads(read(os.path.join(SOURCE, f"tests/data/kubernetes/{kind}.json")))


def resources():
    """Every object that the kustomization names."""
    kustomization = yaml.safe_load(read(f"{FOLDER}/kustomization.yaml"))
    return [entry for name in kustomization["resources"] for entry in yaml.safe_load_all(read(f"{FOLDER}/{name}"))]


def find(kind, name=None):
    return next(entry for entry in resources() if entry["kind"] == kind and name in (None, entry["metadata"]["name"]))


def pod():
    return find("Fleet")["spec"]["template"]["spec"]["template"]


def pods():
    """Each pod's template, and the configuration that it reads."""
    return [(pod(), "trouped.conf"), (find("Deployment")["spec"]["template"], "relay/trouped.conf"),
            (find("StatefulSet")["spec"]["template"], "keeper/trouped.conf")]


def seconds_of_drain(conf):
    found = re.search(r"drain_s = (\d+)", read(f"{FOLDER}/{conf}"))
    return int(found[1]) if found else 0


def configuration(folder, name="trouped.conf"):
    """A pod's configuration, with a certificate and a state directory that exist here."""
    certificate, key = f"{folder}/tls.crt", f"{folder}/tls.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost"],
                   check=True, capture_output=True)
    text = read(f"{FOLDER}/{name}").replace("/run/troupe-tls", folder).replace("/var/lib/troupe", f"{folder}/state")
    path = f"{folder}/trouped.conf"
    with open(path, "w") as file:
        file.write(text)
    return path


class Schemas(unittest.TestCase):
    def test_every_resource_is_valid(self):
        found = resources()
        self.assertGreaterEqual({entry["kind"] for entry in found},
                                {"Fleet", "FleetAutoscaler", "Service", "ServiceMonitor", "Deployment", "StatefulSet",
                                 "NetworkPolicy", "PodDisruptionBudget"})
        for entry in found:
            jsonschema.validate(entry, schema(entry["kind"]))

    def test_a_misspelt_field_and_a_wrong_value_are_refused(self):
        for change in (lambda fleet: fleet["spec"].update(replica=2),
                       lambda fleet: fleet["spec"]["template"]["spec"]["ports"][0].update(portPolicy="dynamic"),
                       lambda fleet: fleet["spec"]["template"]["spec"].pop("template")):
            wrong = copy.deepcopy(find("Fleet"))
            change(wrong)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(wrong, schema("Fleet"))

    def test_every_file_is_used(self):
        kustomization = yaml.safe_load(read(f"{FOLDER}/kustomization.yaml"))
        used = set(kustomization["resources"]) | {"kustomization.yaml"}
        self.assertEqual({os.path.basename(path) for path in glob.glob(f"{FOLDER}/*.yaml")}, used)
        generated = [name for made in kustomization["secretGenerator"] for name in made["files"]]
        found = glob.glob(f"{FOLDER}/**/*.conf", recursive=True)
        self.assertEqual(sorted(generated), sorted(os.path.relpath(path, FOLDER) for path in found))

    @unittest.skipUnless(shutil.which("kubectl"), "kubectl is needed")
    def test_kustomize_builds_the_same(self):
        built = subprocess.run(["kubectl", "kustomize", FOLDER], capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        kinds = sorted(entry["kind"] for entry in yaml.safe_load_all(built.stdout))
        self.assertEqual(kinds, sorted([entry["kind"] for entry in resources()] + ["Secret"] * len(pods())))


class Agreement(unittest.TestCase):
    def test_names_refer_to_what_exists(self):
        fleet, policy, service = find("Fleet"), find("FleetAutoscaler")["spec"], find("Service", "troupe-metrics")["spec"]
        server = fleet["spec"]["template"]["spec"]
        labels, spec = pod()["metadata"]["labels"], pod()["spec"]
        self.assertEqual(policy["fleetName"], fleet["metadata"]["name"])
        self.assertIn(policy["policy"]["counter"]["key"], server["counters"])
        self.assertIn(server["container"], [container["name"] for container in spec["containers"]])
        for selector in service["selector"], find("ServiceMonitor")["spec"]["selector"]["matchLabels"]:
            self.assertLessEqual(selector.items(), labels.items())
        self.assertIn(find("ServiceMonitor")["spec"]["endpoints"][0]["port"], [port["name"] for port in service["ports"]])
        relays, keeper = find("Deployment")["spec"], find("StatefulSet")["spec"]
        self.assertEqual(keeper["serviceName"], find("Service", "troupe-keeper")["metadata"]["name"])
        for made, name in (relays, "troupe-relay"), (keeper, "troupe-keeper"):
            for selector in made["selector"]["matchLabels"], find("Service", name)["spec"]["selector"]:
                self.assertLessEqual(selector.items(), made["template"]["metadata"]["labels"].items())
        spread = [each["labelSelector"] for each in relays["template"]["spec"]["topologySpreadConstraints"]]
        for selector in [find("PodDisruptionBudget")["spec"]["selector"], *spread]:
            self.assertEqual(selector, relays["selector"])

    def test_every_pod_has_a_policy_and_only_the_game_port_is_open_to_all(self):
        policy = find("NetworkPolicy")["spec"]
        chosen = policy["podSelector"]["matchExpressions"][0]
        for template, _ in pods():
            self.assertIn(template["metadata"]["labels"][chosen["key"]], chosen["values"])
            self.assertEqual({port["containerPort"] for container in template["spec"]["containers"]
                              for port in container["ports"]} - {7400, 7401}, set())
        open_to_all = {port["port"] for rule in policy["ingress"] if "from" not in rule for port in rule["ports"]}
        self.assertEqual(open_to_all, {7400})

    def test_the_keeper_has_a_volume_for_its_state_directory(self):
        self.assertIn('state_dir = "/var/lib/troupe"', read(f"{FOLDER}/keeper/trouped.conf"))
        claims = {claim["metadata"]["name"] for claim in find("StatefulSet")["spec"]["volumeClaimTemplates"]}
        mounts = find("StatefulSet")["spec"]["template"]["spec"]["containers"][0]["volumeMounts"]
        self.assertEqual({mount["name"] for mount in mounts if mount["mountPath"] == "/var/lib/troupe"}, claims)

    def test_relays_limit_the_connections_of_an_address_that_they_see(self):
        limit = int(re.search(r"connections_per_address = (\d+);", read(f"{FOLDER}/relay/trouped.conf"))[1])
        self.assertGreater(limit, 0)
        self.assertEqual(find("Service", "troupe-relay")["spec"]["externalTrafficPolicy"], "Local")

    def test_volumes_are_mounted_and_secrets_made_or_described(self):
        made = {made["name"] for made in yaml.safe_load(read(f"{FOLDER}/kustomization.yaml"))["secretGenerator"]}
        for template, conf in pods():
            spec = template["spec"]
            volumes = {volume["name"] for volume in spec["volumes"]}
            if conf == "keeper/trouped.conf":
                volumes |= {claim["metadata"]["name"] for claim in find("StatefulSet")["spec"]["volumeClaimTemplates"]}
            mounts = [mount for container in spec["containers"] for mount in container["volumeMounts"]]
            self.assertEqual({mount["name"] for mount in mounts}, volumes)
            paths = re.findall(r'"(/[^"]+)/[^"/]+"', read(f"{FOLDER}/{conf}"))
            self.assertLessEqual(set(paths) - {"/var/lib"}, {mount["mountPath"] for mount in mounts})
            for volume in spec["volumes"]:
                secret = volume.get("secret", {}).get("secretName")
                self.assertTrue(secret is None or secret in made or f" {secret} " in read(f"{FOLDER}/README.md"), secret)

    def test_a_pod_has_the_time_of_its_drain(self):
        for template, conf in pods():
            self.assertGreaterEqual(template["spec"]["terminationGracePeriodSeconds"], seconds_of_drain(conf) + ENDING_S)

    def test_the_ports_are_those_of_the_daemon(self):
        server = find("Fleet")["spec"]["template"]["spec"]
        container = pod()["spec"]["containers"][0]
        with tempfile.TemporaryDirectory() as folder:
            conf = configuration(folder)
            self.assertIn("valid", subprocess.run([os.environ["TROUPED"], "--check-config", conf],
                                                  capture_output=True, text=True, check=True).stdout)
        for port in server["ports"][0], container["ports"][0]:
            self.assertIn(f":{port['containerPort']}]", self.help())
        self.assertEqual(container["readinessProbe"]["httpGet"]["port"], container["ports"][0]["containerPort"])
        self.assertEqual(find("Service", "troupe-metrics")["spec"]["ports"][0]["targetPort"], container["ports"][0]["containerPort"])

    @staticmethod
    def help():
        return subprocess.run([os.environ["TROUPED"], "--help"], capture_output=True, text=True, check=True).stdout

    def test_the_relay_starts_and_waits_for_its_daemon(self):
        with tempfile.TemporaryDirectory() as folder:
            conf = configuration(folder, "relay/trouped.conf")
            key = subprocess.run([os.environ["TROUPED"], "--make-key", "relay", "--role", "spectator"],
                                 capture_output=True, text=True, check=True).stdout
            with open(f"{folder}/relay.key", "w") as file:
                file.write(key)
            text = read(conf).replace("/run/troupe-key", folder).replace("daemon.example.org:7400", "127.0.0.1:1")
            with open(conf, "w") as file:
                file.write(text)
            with Daemon("--config", conf, "--log-level", "info", bundle=False) as relay:
                while "relay.lost" not in relay.log():
                    time.sleep(0.02)

    def test_the_daemon_of_the_fleet_becomes_ready_and_its_counters_fit(self):
        server = find("Fleet")["spec"]["template"]["spec"]
        with tempfile.TemporaryDirectory() as folder, Sidecar(counters=server["counters"]) as sidecar:
            with Daemon("--config", configuration(folder), bundle=False) as daemon:
                sidecar.wait(lambda: sidecar.state == "Ready" and "agones.dev/sdk-room" in sidecar.labels)
                sidecar.wait(lambda: sidecar.counters["players"]["capacity"] != 1000)
                self.assertEqual(sidecar.counters["worlds"], server["counters"]["worlds"])
                self.assertNotIn("agones.refused", daemon.log())
            self.assertEqual(sidecar.state, "Shutdown")


if __name__ == "__main__":
    unittest.main()
