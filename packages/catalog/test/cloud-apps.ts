import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, type AppFunction, compileApp } from '../src/index.ts'
import { find } from './sample-app.ts'

/** What an account of any of the cloud apps holds, whatever its scheme. */
export const cloudAccount = { token: 'T', access_token: 'T', api_key: 'K', application_key: 'A', api_url: 'https://api.datadoghq.eu' }

const apps = new Map<string, App>()

export function cloudApp(name: string): App {
  const app = apps.get(name) ?? compileApp(readFileSync(join(__dirname, `../apps/${name}.yaml`), 'utf8'), `${name}.yaml`)
  apps.set(name, app)
  return app
}

export function cloudFunction(name: string, phrase: string): AppFunction {
  return find(cloudApp(name), phrase)
}
