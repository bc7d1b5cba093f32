"""Write the pictures in docs/images from build/screenshots, small enough for a repository.

Run after `make screenshots`."""

import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
SCREENSHOTS = ROOT / "build" / "screenshots"
IMAGES = ROOT / "docs" / "images"
COLOURS = 128
PICTURES = {
    "chat.png": "chat-answer-en-light-desk",
    "chat.ko.png": "chat-answer-ko-light-desk",
    "why.png": "chat-why-1-en-light-desk",
    "memory.png": "memory-details-en-light-desk",
    "library.png": "document-en-light-desk",
    "settings.png": "settings-assistant-en-light-desk",
    "usage.png": "settings-usage-en-light-desk",
    "phone.png": "chat-remembered-en-dark-phone",
}


def main() -> int:
    missing = [name for name in PICTURES.values() if not (SCREENSHOTS / f"{name}.png").exists()]
    if missing:
        print(f"run `make screenshots` first; missing: {', '.join(missing)}", file=sys.stderr)
        return 1
    for name, source in PICTURES.items():
        with Image.open(SCREENSHOTS / f"{source}.png") as picture:
            picture.convert("RGB").quantize(COLOURS).save(IMAGES / name, optimize=True)
        print(f"{name} {(IMAGES / name).stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
