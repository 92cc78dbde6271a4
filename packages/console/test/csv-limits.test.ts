import { parseCsv } from '../src/pages/users/csv/parse-csv.ts'
import { chunksOf, readLimits } from '../src/pages/users/csv/read-limits.ts'

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells)

describe('a CSV file', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    [
      'commas',
      'a,1\nb,2\n',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'semicolons and line ends of Windows',
      'a;1\r\nb;2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'tabs, as copied from a spreadsheet',
      'a\t1\rb\t2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a byte order mark', '\uFEFFa,1', [['a', '1']]],
    [
      'separators, line ends and quotes in quotes',
      '"a,b",1\n"c\nd",2\n"e""f",3',
      [
        ['a,b', '1'],
        ['c\nd', '2'],
        ['e"f', '3'],
      ],
    ],
    ['text after a quoted cell', '"a"b,1', [['ab', '1']]],
    [
      'empty cells and empty lines',
      'a,\n\n,1\n , \n',
      [
        ['a', ''],
        ['', '1'],
      ],
    ],
    ['an empty cell at its end', 'a,', [['a', '']]],
    ['nothing', '', []],
  ])('may have %s', (_what, text, expected) => {
    expect(cellsOf(text)).toEqual(expected)
  })

  it('has line numbers that count the lines inside of quotes', () => {
    expect(parseCsv('a,1\n"b\nb",2\n\nc,3').map(({ line }) => line)).toEqual([1, 2, 5])
  })

  it('must end its quotes', () => {
    expect(() => parseCsv('a,1\n"b,2\n')).toThrow('the quoted value in line 2 does not end')
  })
})

describe('limits from a file', () => {
  it('has user ids in the first column and limits in the second', () => {
    expect(readLimits('joe@example.com, 500\nzoë,0')).toEqual({
      limits: [
        { user_id: 'joe@example.com', allowed_tasks: 500 },
        { user_id: 'zoë', allowed_tasks: 0 },
      ],
      lines: [1, 2],
      problems: [],
    })
  })

  it('finds the columns by their names in the first line', () => {
    expect(readLimits('plan,Limit,User_ID\npro,5,joe').limits).toEqual([{ user_id: 'joe', allowed_tasks: 5 }])
    expect(readLimits('user_id,allowed_tasks\njoe,5').limits).toEqual([{ user_id: 'joe', allowed_tasks: 5 }])
  })

  it.each([
    ['joe', 'needs two columns: user ID and limit'],
    [',5', 'has no user ID'],
    ['..,5', 'the user ID must not be . or ..'],
    ['j\uFFFDrg,5', 'the file is not encoded as UTF-8'],
    ['a\0,5', 'the user ID has characters that cannot be stored'],
    [`${'ü'.repeat(513)},5`, 'the user ID has more than 1,024 bytes'],
    ['joe,', 'has no limit'],
    ['joe,five', 'the limit must be a whole number, 0 or more'],
    ['joe,-5', 'the limit must be a whole number, 0 or more'],
    ['joe,1.5', 'the limit must be a whole number, 0 or more'],
    ['joe,9007199254740993', 'the limit is too large'],
  ])('leaves out the line %j and says why', (line, problem) => {
    const { limits, lines, problems } = readLimits(`ann,1\n${line}\nbob,2`)
    expect(limits.map(({ user_id }) => user_id)).toEqual(['ann', 'bob'])
    expect(lines).toEqual([1, 3])
    expect(problems.map((each) => [each.line, each.problem])).toEqual([[2, problem]])
  })

  it('leaves out a user who is there twice, and names the first line', () => {
    const { limits, problems } = readLimits('joe,1\nann,1\njoe,2')
    expect(limits).toHaveLength(2)
    expect(problems).toEqual([{ line: 3, text: 'joe, 2', problem: 'the same user is in line 1' }])
  })

  it('refuses a file that is empty or too long as a whole', () => {
    expect(readLimits('\n').problems[0]?.problem).toBe('The file is empty.')
    expect(readLimits('a,1\n'.repeat(200_001))).toMatchObject({ limits: [], problems: [{ line: 1 }] })
  })

  it('is divided into requests by number and by size', () => {
    const limits = Array.from({ length: 5 }, (_, n) => ({ user_id: `u${n}`, allowed_tasks: n }))
    expect(chunksOf(limits, 2).map((chunk) => chunk.length)).toEqual([2, 2, 1])
    expect(chunksOf(limits, 100, 150).map((chunk) => chunk.length)).toEqual([2, 2, 1])
    expect(chunksOf([], 2)).toEqual([])
  })
})
