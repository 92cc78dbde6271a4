/** An error response of the address book: `{"error": …}`, with a `fields` object if fields are invalid. */
export class Problem extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>> | undefined

  constructor(status: number, message: string, fields?: Readonly<Record<string, string>>) {
    super(message)
    this.status = status
    this.fields = fields
  }
}
