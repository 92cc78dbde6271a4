import { execFileSync } from 'node:child_process'
import { secretForms } from '../src/parts/secret-forms.ts'

describe('a secret in other forms', () => {
  const forms = () => secretForms({ ONWARD_APP_KEY: 'ak_1', ONWARD_APP_SECRET: 'sk_-_9' })
  const textOf = (name: string) => forms().find((form) => form.name === name)?.text ?? ''

  it('is a line of an .env file for each variable', () => {
    expect(textOf('.env')).toBe('ONWARD_APP_KEY=ak_1\nONWARD_APP_SECRET=sk_-_9\n')
  })

  it('sets the variables of a shell', () => {
    const command = `${textOf('shell')}printf %s "$ONWARD_APP_KEY $ONWARD_APP_SECRET"`
    expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).toBe('ak_1 sk_-_9')
  })

  it('is JSON', () => {
    expect(JSON.parse(textOf('JSON'))).toEqual({ ONWARD_APP_KEY: 'ak_1', ONWARD_APP_SECRET: 'sk_-_9' })
  })
})
