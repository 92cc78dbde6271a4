/** What an address book answers in place of what was asked: `{"error": …}` with a `fields` object when fields are wrong. */
export class Problem extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>> | undefined

  constructor(status: number, message: string, fields?: Readonly<Record<string, string>>) {
    super(message)
    this.status = status
    this.fields = fields
  }
}
