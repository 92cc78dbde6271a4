import { readFile } from 'node:fs/promises'
import { type Catalog, loadCatalog } from '@onward/catalog'
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { compileFunctions } from '../../src/catalog/functions.ts'
import { searchTools } from '../../src/mcp/search-tools.ts'
import { directTools, type McpTool } from '../../src/mcp/tools.ts'
import { openPolicy } from '../../src/policy/policy.ts'

const ALL = { apps: null, functions: null, readOnly: false, role: 'application', policy: openPolicy([]) } as const
const APPS = ['slack', 'gmail', 'github']

const encoder = new Tiktoken(o200k)
let catalog: Catalog

beforeAll(async () => {
  catalog = await loadCatalog(['packages/catalog/apps'])
})

/** Returns how many tokens a model reads for tools: hosts give it their names, descriptions and schemas. */
function tokensOf(tools: readonly McpTool[]): number {
  return encoder.encode(JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })))).length
}

type Row = readonly [what: string, tools: number, tokens: number]

function measure(): Row[] {
  const functions = compileFunctions(catalog)
  const row = (what: string, tools: readonly McpTool[]): Row => [what, tools.length, tokensOf(tools)]
  const direct = (what: string, token: Parameters<typeof directTools>[1]) =>
    row(
      `direct, ${what}`,
      directTools(functions, token, () => true),
    )
  return [
    row('search', searchTools(false)),
    row('search, `read_only`', searchTools(true)),
    ...APPS.map((app) => direct(app, { ...ALL, apps: [app] })),
    ...APPS.map((app) => direct(`${app}, \`read_only\``, { ...ALL, apps: [app], readOnly: true })),
  ]
}

it('MCP.md says how many tokens the tools of each mode cost a model, to two digits', async () => {
  const lines = measure().map(([what, tools, tokens]) => `| ${what} | ${tools} | ${thousands(Number(tokens.toPrecision(2)))} |`)
  process.stdout.write(`\nWhat a model reads of the built-in catalog (o200k_base):\n${lines.join('\n')}\n`)
  const page = await readFile('services/functions/MCP.md', 'utf8')
  expect(page.split('\n').filter((line) => /^\| (search|direct)(,| \|)/.test(line))).toEqual(lines)
})

function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
