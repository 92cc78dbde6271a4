import { csvLine, exportName, exportRows } from '../src/list/export-rows.ts'

type Row = { readonly id: number }

const columns = [
  { id: 'id', head: 'Id', text: ({ id }: Row) => String(id) },
  { id: 'name', head: 'Name', text: ({ id }: Row) => `row "${id}"` },
]

/** Lists 5 rows in pages of 2. */
function load(cursor: string | null) {
  const from = Number(cursor ?? 0)
  const rows = [0, 1, 2, 3, 4].slice(from, from + 2).map((id) => ({ id }))
  return Promise.resolve({ rows, next: from + 2 < 5 ? String(from + 2) : null })
}

const options = { columns, load, signal: new AbortController().signal, onProgress() {} }

describe('an export', () => {
  it('reads all pages into CSV', async () => {
    const progress: number[] = []
    const { parts, rows, cut } = await exportRows({ ...options, format: 'csv', onProgress: (count) => progress.push(count) })
    expect(parts.join('')).toBe('id,name\r\n0,"row ""0"""\r\n1,"row ""1"""\r\n2,"row ""2"""\r\n3,"row ""3"""\r\n4,"row ""4"""\r\n')
    expect({ rows, cut, progress }).toEqual({ rows: 5, cut: false, progress: [2, 4, 5] })
  })

  it('writes lines of JSON', async () => {
    const { parts } = await exportRows({ ...options, format: 'jsonl' })
    expect(parts.join('').split('\n')[4]).toBe('{"id":"4","name":"row \\"4\\""}')
  })

  it.each([
    [3, 3, true],
    [4, 4, true],
    [5, 5, false],
  ])('says whether a ceiling of %i rows left some out', async (ceiling, rows, cut) => {
    await expect(exportRows({ ...options, format: 'jsonl', ceiling })).resolves.toMatchObject({ rows, cut })
  })

  it('ends when it is stopped', async () => {
    const stop = new AbortController()
    const running = exportRows({ ...options, format: 'csv', signal: stop.signal, onProgress: () => stop.abort() })
    await expect(running).rejects.toThrow('aborted')
  })

  it('names its file after the list and the day', () => {
    expect(exportName('calls', 'csv', new Date('2026-11-23T23:00:00Z'))).toBe('calls-2026-11-23.csv')
  })
})

describe('a line of CSV', () => {
  it.each([
    [['a', 'b'], 'a,b'],
    [['a,b', 'c\nd'], '"a,b","c\nd"'],
    [['=SUM(A1)', '+1', '@x', '-x'], "'=SUM(A1),'+1,'@x,'-x"],
    [['-12', '-1.5'], '-12,-1.5'],
  ])('of %j', (values, expected) => expect(csvLine(values)).toBe(`${expected}\r\n`))
})
