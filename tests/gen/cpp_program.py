#!/usr/bin/python3
"""cpp_program.py GEN_SCRIPT FOLDER: the generated C++ of all models of scripted_models.py and the scripts that call it, as one source file. One
program, because the headers of the database cost more than the code of a model."""

import pathlib
import subprocess
import sys

import scripted_models


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    includes = []
    for model in scripted_models.model_paths([], folder):
        subprocess.run([sys.argv[1], str(model), "7", str(scripted_models.STEPS), str(folder / model.stem), "cpp"], check=True)
        includes.append(f'#include "{model.stem}/cpp/script.cc"\n')
    text = "".join(includes) + '\nint main(int argc, char** argv) { return tests::Main(argc, argv); }\n'
    (folder / "all.cc").write_text(text)


if __name__ == "__main__":
    main()
