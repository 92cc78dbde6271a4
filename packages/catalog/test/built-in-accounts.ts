import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, type AppFunction, type Credentials, compileApp } from '../src/index.ts'
import { find } from './sample-app.ts'

const APPS = new Map<string, App>()

export function builtInApp(name: string): App {
  const app = APPS.get(name) ?? compileApp(readFileSync(join(__dirname, `../apps/${name}.yaml`), 'utf8'), `${name}.yaml`)
  APPS.set(name, app)
  return app
}

export function builtInFunction(name: string, phrase: string): AppFunction {
  return find(builtInApp(name), phrase)
}

/** Has the fields of every scheme of every business app. */
export const businessAccount = {
  token: 'T',
  access_token: 'T',
  api_key: 'K',
  email: 'me@acme.com',
  api_token: 'A',
  username: 'u',
  password: 'p',
  instance_url: 'https://acme.my.salesforce.com',
  login: 'login',
  environment: 'api-m',
  host: 'quickbooks',
  api_domain: 'https://acme.pipedrive.com',
  subdomain: 'acme',
  domain: 'acme',
  shop: 'acme',
  realm_id: '123',
  data_center: 'us6',
  business_account_id: '999',
  account_sid: `AC${'0'.repeat(32)}`,
}

/** Has the fields of every scheme of every cloud app. */
export const cloudAccount = {
  token: 'T',
  access_token: 'T',
  api_key: 'K',
  application_key: 'A',
  api_url: 'https://api.datadoghq.eu',
  url: 'https://gitlab.com',
}

const WORK_ACCOUNTS: Readonly<Record<string, Credentials>> = {
  clickup: { api_key: 'pk_1' },
  discord: { bot_token: 'B' },
  jira: { email: 'a@b.c', api_token: 'P', site: 'acme' },
  linear: { api_key: 'lin_1' },
  monday: { api_key: 'M' },
  telegram: { token: '12:AB-c' },
  trello: { key: 'K', token: 'T' },
  webflow: { token: 'T', host: 'api' },
  wordpress: { username: 'ada', application_password: 'abcd efgh', url: 'https://example.com/blog' },
  zoom: { access_token: 'T', account_id: 'Z' },
}

/** Returns an account of the app. */
export function workAccount(name: string): Credentials {
  return WORK_ACCOUNTS[name] ?? { token: 'T' }
}
