"""The plugin for Neovim, as it stands in `building/editors`, in a Neovim that nobody looks at."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from paths import ROOT

PLUGIN = ROOT / "building" / "editors" / "neovim" / "meldref.lua"
NVIM = shutil.which("nvim")
ASKS = """
local function wait(what, done)
  if not vim.wait(60000, done, 20) then error("nothing came: " .. what) end
end
vim.cmd("source {plugin}")
vim.cmd("edit {log}")
wait("findings", function() return #vim.diagnostic.get(0) == 4 end)
local told = {{ codes = vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0)) }}
local function ask(method, line, character)
  local document = vim.lsp.util.make_text_document_params()
  local params = {{ textDocument = document, position = {{ line = line, character = character }} }}
  for _, reply in pairs(vim.lsp.buf_request_sync(0, method, params, 60000)) do return reply.result end
end
told.hover = ask("textDocument/hover", 13, 12).contents.value
told.definition = ask("textDocument/definition", 13, 12).uri
vim.lsp.buf.formatting_sync(nil, 60000)
vim.api.nvim_buf_set_lines(0, 13, 14, false, {{ "3. Cy: dra" }})
told.offers = vim.tbl_map(function(one) return one.label end, ask("textDocument/completion", 13, 10).items)
vim.fn.writefile({{ vim.fn.json_encode(told) }}, "{told}")
vim.cmd("qall!")
"""


@pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")
def test_neovim_shows_findings_places_of_cards_rules_and_moves(tmp_path):
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    program = tmp_path / "bin" / "meldref"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nfrom meldref_cli.start import run\nrun()\n", encoding="utf-8"
    )
    program.chmod(0o755)
    log, told, asks = (tmp_path / name for name in ("disputed.rgn", "told.json", "asks.lua"))
    shutil.copy(ROOT / "examples" / "disputed.rgn", log)
    asks.write_text(ASKS.format(plugin=PLUGIN, log=log, told=told), encoding="utf-8")
    command = [NVIM, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {asks}"]
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {name: str(tmp_path) for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert told.exists(), done.stdout + done.stderr
    said = json.loads(told.read_text(encoding="utf-8"))
    assert said["codes"][0] == "draw.deep.unused"
    assert "**6c** is in the pile, 2 above it." in said["hover"]
    assert said["definition"].endswith("/500-rummy.yaml")
    assert "draw" in said["offers"]
