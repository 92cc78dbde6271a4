/** Returns what three MCP clients need to connect: a command, and the contents of two settings files. */
export function settingsOf(url: string, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  return {
    claude_code: `claude mcp add --transport http onward ${url} --header "Authorization: Bearer ${token}"`,
    cursor: { mcpServers: { onward: { url, headers } } },
    vscode: { servers: { onward: { type: 'http', url, headers } } },
  }
}
