"""The trainer: a recipe gives the same net as ever, and a net is taken only where it is better
than the present one on the same held-out games."""
import os
import subprocess

import kit

tap = kit.Tap()
where = kit.folder()
TRAIN = os.path.join(os.environ["HAKEM_BUILD"], "contrib", "train", "train")


def train(games, out, *options):
    return subprocess.run([TRAIN, "--variant", "tavla", "--games", str(games), "--seed", "1",
                           "--name", "t", "--held-out", "60", "--out", out, *options], cwd=where,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def read(name):
    with open(os.path.join(where, name), "rb") as file:
        return file.read()


done = train(200, "young.net")
tap.check(done.returncode == 0 and "variance ratio of self-play" in done.stdout,
          "a net is trained, and judged", done.stdout, done.stderr)
tap.check(b"recipe train --variant tavla --games 200 --seed 1 --name t\\n" in read("young.net"),
          "its recipe stands in it")
tap.check(b"sum 147df62a22f1b802\\n" in read("young.net"), "it is the same net as ever",
          read("young.net")[-40:])

done = train(3000, "present.net", "--better-than", "young.net")
tap.check(done.returncode == 0 and "better, taken" in done.stdout,
          "a better net is taken", done.stdout, done.stderr)
kept = read("present.net")
done = train(200, "present.net", "--better-than", "present.net")
tap.check(done.returncode == 3 and "no better, not written" in done.stdout,
          "a weaker one is not", done.stdout, done.stderr)
tap.check(read("present.net") == kept, "and leaves the present one where it was")
done = train(200, "twin.net", "--better-than", "young.net")
tap.check(done.returncode == 3 and not os.path.exists(os.path.join(where, "twin.net")),
          "nor is the same one again", done.stdout, done.stderr)

for name, content, word in (("none.net", None, "cannot read none.net"),
                            ("cut.net", kept[:5000], "cut.net: it is damaged"),
                            ("other.net", kept.replace(b"variant tavla", b"variant uzun", 1),
                             "other.net: line 2 is not")):
    if content is not None:
        with open(os.path.join(where, name), "wb") as file:
            file.write(content)
    done = train(200, "new.net", "--better-than", name)
    tap.check(done.returncode == 1 and word in done.stderr and done.stdout == "",
              f"{name}: said before anything is trained", done.stdout, done.stderr)
done = train(200, "nowhere/new.net")
tap.check(done.returncode == 1 and "nowhere/new.net" in done.stderr, "a folder that is not there",
          done.stderr)
done = train(200, "new.net", "--better", "young.net")
tap.check(done.returncode == 2 and "usage: train" in done.stderr, "an unknown option", done.stderr)
tap.check(not os.path.exists(os.path.join(where, "new.net")), "none of them wrote a net")
tap.done()
