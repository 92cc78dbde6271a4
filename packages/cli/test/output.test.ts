import { showList, type Terminal } from '../src/terminal.ts'

function shown(rows: readonly Record<string, unknown>[]): string {
  const parts: string[] = []
  const stream = { write: (part: string) => parts.push(part) }
  showList({ stdout: stream, stderr: stream } as unknown as Terminal, {}, { rows }, 'rows', ['id', 'name'])
  return parts.join('')
}

describe('showList', () => {
  it('aligns columns to their widest cell', () => {
    expect(
      shown([
        { id: 1, name: 'a' },
        { id: 'long', name: null },
      ]),
    ).toBe('ID    NAME\n1     a\nlong  -\n')
  })

  it('prints more rows than a function can have arguments', () => {
    const lines = shown(Array.from({ length: 200_000 }, (_, id) => ({ id, name: 'a' }))).split('\n')
    expect([lines.length, lines[0], lines[200_000]]).toEqual([200_002, 'ID      NAME', '199999  a'])
  })
})
