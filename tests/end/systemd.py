"""The service file: what it has to say, and what systemd itself makes of it where it is here."""
import os
import re
import shutil
import subprocess

import kit

tap = kit.Tap()
path = os.path.join(os.environ["HAKEM_SOURCE"], "contrib", "systemd", "hakem.service")
sections, section = {}, None
with open(path, encoding="utf-8") as file:
    for line in file.read().split("\n"):
        if re.fullmatch(r"\[\w+\]", line):
            section = sections.setdefault(line[1:-1], {})
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            tap.check(equals and section is not None and key not in section,
                      "one value of %s" % key, line)
            section[key] = value
tap.same(sorted(sections), ["Install", "Service", "Unit"], "its sections")
service = sections["Service"]

# reliability: what a daemon that strangers speak to has to be kept from
for key, want in {
        "Type": "notify", "KillMode": "mixed", "Restart": "on-failure", "SuccessExitStatus": "4",
        "DynamicUser": "yes", "StateDirectory": "hakem", "StateDirectoryMode": "0700",
        "NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "AmbientCapabilities": "",
        "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes",
        "PrivateDevices": "yes", "ProtectKernelTunables": "yes", "ProtectKernelModules": "yes",
        "ProtectKernelLogs": "yes", "ProtectControlGroups": "yes", "ProtectClock": "yes",
        "ProtectHostname": "yes", "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
        "RestrictNamespaces": "yes", "RestrictRealtime": "yes", "RestrictSUIDSGID": "yes",
        "LockPersonality": "yes", "SystemCallArchitectures": "native",
        "SystemCallFilter": "@system-service", "LimitCORE": "0", "Delegate": "yes",
        "IPAddressDeny": "any", "IPAddressAllow": "localhost", "UMask": "0077"}.items():
    tap.same(service.get(key), want, key)
for key in ("MemoryMax", "TasksMax", "LimitNOFILE", "WatchdogSec"):
    tap.check(re.fullmatch(r"\d+[GM]?", service.get(key, "")), key + " has a figure",
              service.get(key))
tap.check("MemoryDenyWriteExecute" not in service, "bots may be compiled as they run")
tap.check(int(service["TimeoutStopSec"]) > 60, "it waits longer than stop_time")
tap.check(re.fullmatch(r"\S+/hakem serve \S+\.json", service["ExecStart"]), "ExecStart",
          service["ExecStart"])
tap.same(service["ExecReload"], "/bin/kill -HUP $MAINPID", "ExecReload")

if shutil.which("systemd-analyze"):
    where = kit.folder()
    copy = os.path.join(where, "hakem.service")
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("/usr/local/bin/hakem", os.path.abspath(kit.HAKEM))
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True,
                          text=True, timeout=60)
    own = [line for line in done.stderr.split("\n") if "hakem.service" in line]
    tap.check(not own, "systemd-analyze verify finds nothing", *own)
tap.done()
