/** An option of the import is wrong, not the document. The message says what is wrong with its value. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
  readonly option: 'name' | 'baseUrl'

  constructor(option: 'name' | 'baseUrl', problem: string) {
    super(problem)
    this.option = option
  }
}
