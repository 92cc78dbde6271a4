import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the file of an app with OAuth into a new folder. Its token URL has the port of the third party, so the file cannot be fixed. */
export async function writeDiaryApp(folder: string, url: string): Promise<void> {
  const app = {
    name: 'diary',
    title: 'Diary',
    description: 'An app whose access tokens are valid for a few seconds.',
    base_url: url,
    auth: { type: 'oauth2', authorization_url: `${url}/authorize`, token_url: `${url}/token` },
    functions: {
      'get-entry': {
        title: 'Get entry',
        description: 'Gets the newest entry.',
        type: 'QUERY',
        request: { method: 'GET', path: '/diary/newest' },
      },
    },
  }
  await mkdir(folder, { recursive: true })
  // JSON is valid YAML.
  await writeFile(join(folder, 'diary.yaml'), JSON.stringify(app))
}
