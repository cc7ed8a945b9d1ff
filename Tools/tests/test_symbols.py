"""Debug symbols of a release, in a package of their own."""

import shutil
import subprocess

import pytest

from segue_tools.places import ROOT

SOURCE = "int answer(int given) { return given + 41; }\nint main(void) { return answer(1); }\n"


@pytest.fixture
def program(tmp_path):
    def make(*options):
        (tmp_path / "program.c").write_text(SOURCE)
        made = tmp_path / "program"
        subprocess.run(["cc", "-O0", *options, "-o", made, tmp_path / "program.c"], check=True)
        return made

    return make


def symbols(program, folder):
    """Runs the script on a program and a copy of it, and returns its result and the copy."""
    installed = folder / "installed"
    shutil.copy(program, installed)
    done = subprocess.run([ROOT / "packaging/symbols", program, installed, "1.2", "amd64", folder],
                          capture_output=True, text=True)
    return done, installed


def test_the_symbols_are_in_a_package_that_the_build_id_finds(program, tmp_path):
    done, installed = symbols(program("-g", "-Wl,--build-id=sha1"), tmp_path)
    assert done.returncode == 0, done.stderr
    package = done.stdout.strip()
    assert package == f"{tmp_path}/segue-dbgsym_1.2_amd64.deb"
    field = subprocess.run(["dpkg-deb", "--field", package, "Build-Ids", "Depends"], capture_output=True, text=True)
    notes = subprocess.run(["readelf", "--notes", installed], capture_output=True, text=True).stdout
    build = notes.split("Build ID: ")[1].split()[0]
    assert field.stdout.split("\n")[:2] == [f"Build-Ids: {build}", "Depends: segue (= 1.2)"]
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path / "root"], check=True)
    kept = tmp_path / f"root/usr/lib/debug/.build-id/{build[:2]}/{build[2:]}.debug"
    lines = subprocess.run(["nm", "--line-numbers", kept], capture_output=True, text=True).stdout
    assert "T answer" in lines and "program.c:1" in lines
    assert "answer" not in subprocess.run(["nm", installed], capture_output=True, text=True).stdout
    assert subprocess.run([installed]).returncode == 42


@pytest.mark.parametrize(("options", "reason"), [
    (["-g", "-Wl,--build-id=none"], "has no build ID"), (["-Wl,--build-id=sha1"], "has no debug information"),
])
def test_a_program_without_symbols_or_id_is_refused(program, tmp_path, options, reason):
    done, _ = symbols(program(*options), tmp_path)
    assert done.returncode == 2 and reason in done.stderr
    assert not list(tmp_path.glob("*.deb"))
