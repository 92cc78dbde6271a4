import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

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

let folder: string
let blocks: Map<string, string>

jest.setTimeout(90_000)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-hash-'))
  const page = await readFile('services/functions/HASH.md', 'utf8')
  blocks = new Map([...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = '', code = '']) => [language, code]))
})

afterAll(() => rm(folder, { recursive: true }))

describe('the page about hashes', () => {
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
