import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, type AppFunction, type Credentials, compileApp } from '../src/index.ts'
import { find } from './sample-app.ts'

const accounts: Readonly<Record<string, Credentials>> = {
  clickup: { api_key: 'pk_1' },
  discord: { bot_token: 'B' },
  jira: { email: 'a@b.c', api_token: 'P', site: 'acme' },
  linear: { api_key: 'lin_1' },
  monday: { api_key: 'M' },
  telegram: { token: '12:AB-c' },
  trello: { key: 'K', token: 'T' },
  wordpress: { username: 'ada', application_password: 'abcd efgh', url: 'https://example.com/blog' },
  zoom: { access_token: 'T', account_id: 'Z' },
}

/** An account of the app's first scheme. */
export function workAccount(name: string): Credentials {
  return accounts[name] ?? { token: 'T' }
}

const apps = new Map<string, App>()

export function workFunction(name: string, phrase: string): AppFunction {
  const app = apps.get(name) ?? compileApp(readFileSync(join(__dirname, `../apps/${name}.yaml`), 'utf8'), `${name}.yaml`)
  apps.set(name, app)
  return find(app, phrase)
}
