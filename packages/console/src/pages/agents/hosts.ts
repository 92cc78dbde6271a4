import type { Language } from '../../ui/highlight.ts'
import { WORDS } from './words.ts'

/** How a user adds the MCP URL to an agent: what they do, and the command, file or address that they need for it. */
export type Host = { readonly name: string; readonly steps: string; readonly text: string; readonly language?: Language }

/** Returns the hosts that MCP.md of functions names, in its order. */
export function hostsFor(url: string): readonly Host[] {
  const { steps } = WORDS.hosts
  const file = (servers: object) => ({ text: JSON.stringify(servers, null, 2), language: 'json' as const })
  return [
    { name: 'Claude Code', steps: steps.claudeCode, text: `claude mcp add --transport http onward ${url}`, language: 'bash' },
    { name: 'claude.ai, Claude Desktop', steps: steps.claude, text: url },
    { name: 'ChatGPT', steps: steps.chatGpt, text: url },
    { name: 'VS Code', steps: steps.vsCode, ...file({ servers: { onward: { type: 'http', url } } }) },
    { name: 'Cursor', steps: steps.cursor, ...file({ mcpServers: { onward: { url } } }) },
    { name: 'Codex', steps: steps.codex, text: `codex mcp add onward --url ${url}\ncodex mcp login onward`, language: 'bash' },
    { name: WORDS.hosts.others, steps: steps.others, text: `npx -y mcp-remote ${url}`, language: 'bash' },
  ]
}
