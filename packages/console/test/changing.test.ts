import { type Held, withChanges } from '../src/list/changing.ts'

type Row = { readonly id: string; readonly state: string }
const rowKey = ({ id }: Row) => id

describe('withChanges', () => {
  it('replaces a row in its place, unless the list has read it again since then', () => {
    const [first, second] = [
      { id: 'a', state: 'pending' },
      { id: 'b', state: 'pending' },
    ]
    const done = { id: 'b', state: 'done' }
    const held: Held<Row> = new Map([['b', { of: second, row: done }]])
    expect(withChanges([first, second], held, rowKey)).toEqual([first, done])
    const again = { id: 'b', state: 'sent again' }
    expect(withChanges([first, again], held, rowKey)).toEqual([first, again])
  })
})
