import { inSlices } from '../src/in-slices.ts'
import { readEnglish } from '../src/ranking/english.ts'
import { buildNamedApps, type NamedApps } from '../src/ranking/named-apps.ts'
import { WEIGHTS } from './support.ts'

let named: NamedApps
beforeAll(async () => {
  const titles = ['Google Drive', 'Jira', 'OpenAI', 'Software Testing', 'Bank of America', 'Box']
  const functions = titles.map((title) => ({
    name: title,
    title,
    description: '',
    examples: [],
    app: { name: title.toLowerCase().replaceAll(' ', '-'), title },
    parameters: { type: 'object' as const, properties: {}, required: [] },
  }))
  const { vectors } = await readEnglish(WEIGHTS)
  named = await inSlices(buildNamedApps(functions, vectors))
})

it.each([
  ['create a jira ticket', ['jira']],
  ['create a google drive folder', ['google-drive']],
  ['create a folder in GoogleDrive', ['google-drive']],
  ['ask OpenAI for a poem', ['openai']],
  ['show my balance at Bank of America', ['bank-of-america']],
  ['the BANK OF AMERICA statement', ['bank-of-america']],
  ['send the report about software testing', []],
  ['Software testing is hard', []],
  ['send the report with software testing', ['software-testing']],
  ['send the Software Testing report', ['software-testing']],
  ['send the SOFTWARE TESTING report', ['software-testing']],
  ['put it in a box', []],
  ['put it in Box', ['box']],
])('the index of app names finds in "%s" the apps %j', (prompt, expected) => {
  expect([...named.in(prompt)]).toEqual(expected)
})
