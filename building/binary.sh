#!/bin/sh
# A program for people without Python, in a folder, by a PyInstaller whose environment has meldref: binary.sh PYINSTALLER FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" --log-level ERROR --onefile --name meldref --distpath "$2" --workpath "$work" --specpath "$work" \
    --collect-all meldref --collect-all meldref_archive --collect-all meldref_authoring --collect-all meldref_cli \
    --collect-all meldref_evidence --collect-all meldref_intake --collect-all meldref_service --collect-all meldref_table --collect-data jsonschema_specifications "$here/binary.py"
