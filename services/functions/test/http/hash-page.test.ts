import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { useFunctions } from '../support/support.ts'
import { unescapeHtml } from '../support/unescape-html.ts'

const run = promisify(execFile)

/** How a program in each language of the page is run. */
const RUN: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  js: ['node'],
  python: ['python3'],
  php: ['php'],
  ruby: ['ruby'],
  go: ['go', 'run'],
  sh: ['sh'],
}

const onward = useFunctions()
let folder: string
let blocks: Map<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-hash-'))
  const page = await (await fetch(`${onward.url}/docs/hash`)).text()
  const found = page.matchAll(/<pre tabindex="0"><code class="(\w+)">([\s\S]*?)<\/code><\/pre>/g)
  blocks = new Map([...found].map(([, language = '', code = '']) => [language, unescapeHtml(code)]))
})

afterAll(() => rm(folder, { recursive: true }))

describe('GET /docs/hash', () => {
  it('has a program for each language', () => {
    expect(new Set(blocks.keys())).toEqual(new Set(['text', ...Object.keys(RUN)]))
  })

  it.each(Object.entries(RUN))(
    'has a program in %s that prints the hash of the page, if this machine can run it',
    async (language, [command, ...args]) => {
      const isInstalled = await run('which', [command]).then(
        () => true,
        () => false,
      )
      if (!isInstalled) return console.warn(`skipped: ${command} is not installed`)
      const file = join(folder, language === 'js' ? 'program.cjs' : `program.${language}`)
      await writeFile(file, blocks.get(language) ?? '')
      const { stdout } = await run(command, [...args, file])
      expect(stdout.trim()).toBe(blocks.get('text')?.trim())
    },
  )
})
