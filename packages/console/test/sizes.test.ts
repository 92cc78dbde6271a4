import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Row = { name: string; script: number; styles: number; problems: string[] }

const folder = mkdtempSync(join(tmpdir(), 'onward-sizes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a build with files of these sizes; random bytes do not compress. */
function write(sizes: Readonly<Record<string, number>>): void {
  mkdirSync(join(folder, '.vite'), { recursive: true })
  for (const [file, bytes] of Object.entries(sizes)) writeFileSync(join(folder, file), randomBytes(bytes))
  const manifest = {
    'index.html': {
      file: 'entry.js',
      isEntry: true,
      imports: ['_shared.js'],
      dynamicImports: ['src/pages/calls/index.tsx', 'src/pages/users/index.tsx'],
      css: ['entry.css'],
    },
    '_shared.js': { file: 'shared.js' },
    'src/pages/calls/index.tsx': {
      file: 'calls.js',
      imports: ['_shared.js', 'index.html'],
      dynamicImports: ['src/ui/chart.tsx'],
      css: ['calls.css'],
    },
    'src/ui/chart.tsx': { file: 'chart.js' },
    'src/pages/users/index.tsx': { file: 'users.js', imports: ['index.html'] },
  }
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
}

async function sizes(): Promise<Row[]> {
  const { sizesOf } = await import(join(process.cwd(), 'packages/console/sizes.mjs'))
  return sizesOf(folder)
}

const SMALL = {
  'entry.js': 60_000,
  'shared.js': 60_000,
  'calls.js': 30_000,
  'chart.js': 30_000,
  'users.js': 60_000,
  'entry.css': 7_000,
  'calls.css': 7_000,
}

describe('the size of the embedded page', () => {
  it('is what it loads at once, and at most 85 kB of script', async () => {
    const { embedSizeOf } = await import(join(process.cwd(), 'packages/console/sizes.mjs'))
    write({ ...SMALL, 'entry.js': 20_000 })
    expect(embedSizeOf(folder)).toMatchObject({ name: 'embedded page', problems: [] })
    write(SMALL)
    expect(embedSizeOf(folder).problems).toEqual([expect.stringMatching(/^embedded page: \d+ bytes of script, and 85000 are allowed$/)])
  })
})

describe('the sizes of the console', () => {
  it('counts each file once: the frame for the first load, and for a page all that it can load, but no other page', async () => {
    write(SMALL)
    const [first, page, other] = await sizes()
    expect(first).toMatchObject({ name: 'first load', problems: [] })
    expect(page).toMatchObject({ name: 'src/pages/calls/index.tsx', problems: [] })
    expect(Math.round((first?.script ?? 0) / 1000)).toBe(120)
    expect(Math.round((page?.script ?? 0) / 1000)).toBe(180)
    expect(Math.round((other?.script ?? 0) / 1000)).toBe(180)
    expect(Math.round((page?.styles ?? 0) / 1000)).toBe(14)
  })

  it.each([
    ['shared.js', 90_000, /^first load: \d+ bytes of script, and 130000 are allowed$/],
    ['chart.js', 70_000, /^src\/pages\/calls\/index.tsx: \d+ bytes of script, and 210000 are allowed$/],
    ['calls.css', 12_000, /^src\/pages\/calls\/index.tsx: \d+ bytes of styles, and 16000 are allowed$/],
  ])('refuses a build whose %s is too large', async (file, bytes, problem) => {
    write({ ...SMALL, [file]: bytes })
    const problems = (await sizes()).flatMap((row) => row.problems)
    expect(problems).toContainEqual(expect.stringMatching(problem))
  })
})
