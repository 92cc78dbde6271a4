// `node packages/catalog/icons.mjs` writes the logos of the built-in apps to `apps/icons`. They come from two icon packages with the licence
// CC0-1.0. It downloads the packages to a temporary folder, because nothing else needs their 13 MB.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGES = { logos: '@iconify-json/logos@1.2.19', simple: '@iconify-json/simple-icons@1.2.102' }

/** The letter of a wordmark that is the app's logo: the index of its path, and its `viewBox`. */
const LETTERS = { pipedrive: { path: 1, viewBox: '-11 22 96 96' } }

/** The icon of each app. `simple` has icons of one colour, which follows. Some apps have an icon in neither package. */
const ICONS = {
  airtable: 'logos airtable',
  anthropic: 'logos anthropic-icon',
  asana: 'logos asana-icon',
  bigquery: 'simple googlebigquery #669df6',
  bitbucket: 'logos bitbucket',
  box: 'simple box #0061d5',
  brevo: 'simple brevo #0b996e',
  'cal-com': 'simple caldotcom #292929',
  calendly: 'simple calendly #006bff',
  clickup: 'logos clickup-icon',
  coda: 'logos coda-icon',
  confluence: 'logos confluence',
  datadog: 'logos datadog-icon',
  discord: 'logos discord-icon',
  docusign: 'simple docusign #4c00ff',
  dropbox: 'logos dropbox',
  elevenlabs: 'logos elevenlabs-icon',
  exa: 'logos exa-icon',
  excel: 'simple microsoftexcel #217346',
  figma: 'logos figma',
  firecrawl: 'logos firecrawl-icon',
  github: 'logos github-icon',
  gitlab: 'logos gitlab-icon',
  gmail: 'logos google-gmail',
  'google-calendar': 'logos google-calendar',
  'google-docs': 'simple googledocs #4285f4',
  'google-drive': 'logos google-drive',
  'google-maps': 'logos google-maps',
  'google-meet': 'logos google-meet',
  'google-sheets': 'simple googlesheets #34a853',
  'google-tasks': 'simple googletasks #2684fc',
  hubspot: 'simple hubspot #ff7a59',
  intercom: 'logos intercom-icon',
  jira: 'logos jira',
  linear: 'logos linear-icon',
  linkedin: 'logos linkedin-icon',
  mailchimp: 'logos mailchimp-icon',
  'microsoft-teams': 'logos microsoft-teams',
  monday: 'logos monday-icon',
  notion: 'logos notion-icon',
  onedrive: 'logos microsoft-onedrive',
  openai: 'logos openai-icon',
  'outlook-mail': 'simple microsoftoutlook #0f78d4',
  pagerduty: 'logos pagerduty-icon',
  paypal: 'logos paypal',
  perplexity: 'logos perplexity-icon',
  pipedrive: 'logos pipedrive',
  posthog: 'logos posthog-icon',
  quickbooks: 'simple quickbooks #2ca01c',
  resend: 'logos resend-icon',
  salesforce: 'logos salesforce',
  sendgrid: 'logos sendgrid-icon',
  sentry: 'logos sentry-icon',
  shopify: 'logos shopify',
  slack: 'logos slack-icon',
  snowflake: 'logos snowflake-icon',
  square: 'simple square #3e4348',
  stripe: 'simple stripe #635bff',
  supabase: 'logos supabase-icon',
  tavily: 'logos tavily',
  telegram: 'logos telegram',
  todoist: 'logos todoist-icon',
  trello: 'logos trello',
  twilio: 'logos twilio-icon',
  twitter: 'simple x #000000',
  typeform: 'logos typeform-icon',
  webflow: 'simple webflow #146ef5',
  'whatsapp-business': 'logos whatsapp-icon',
  wordpress: 'logos wordpress-icon',
  xero: 'logos xero',
  youtube: 'logos youtube-icon',
  zendesk: 'logos zendesk-icon',
  'zoho-crm': 'logos zoho',
  zoom: 'logos zoom-icon',
}

const folder = mkdtempSync(join(tmpdir(), 'onward-icons-'))
const sets = Object.fromEntries(Object.entries(PACKAGES).map(([name, spec]) => [name, download(spec)]))
for (const [app, icon] of Object.entries(ICONS)) {
  const [set, name, colour = 'currentColor'] = icon.split(' ')
  const { icons, width, height } = sets[set]
  const { body, ...size } = icons[name]
  const box = { left: 0, top: 0, width, height, ...size }
  const letter = LETTERS[app]
  const viewBox = letter?.viewBox ?? `${box.left} ${box.top} ${box.width} ${box.height}`
  const shape = letter === undefined ? body : body.match(/<path[^>]*>/g)[letter.path]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${shape}</svg>\n`
  writeFileSync(new URL(`apps/icons/${app}.svg`, import.meta.url), svg.replaceAll('currentColor', colour))
}
rmSync(folder, { recursive: true })

function download(spec) {
  const [packed] = execFileSync('npm', ['pack', '--silent', spec], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
  execFileSync('tar', ['xzf', packed, 'package/icons.json'], { cwd: folder })
  return JSON.parse(readFileSync(join(folder, 'package/icons.json'), 'utf8'))
}
