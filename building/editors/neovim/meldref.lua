-- Starts `meldref lsp` for logs and rules files: a plugin for Neovim 0.7 or later (~/.config/nvim/plugin/meldref.lua).
local group = vim.api.nvim_create_augroup("meldref", {})
local client

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group,
  pattern = "*.rgn",
  callback = function() vim.bo.filetype = "rgn" end,
})

vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = { "rgn", "yaml" },
  callback = function(event)
    client = client or vim.lsp.start_client({ name = "meldref", cmd = { "meldref", "lsp" } })
    if client then vim.lsp.buf_attach_client(event.buf, client) end
  end,
})
