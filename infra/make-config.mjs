// Prints infra/CONFIG.md from the tables with which the services read their settings:
//   node --conditions=source --import tsx infra/make-config.mjs > infra/CONFIG.md
import { SETTINGS as functions } from '../services/functions/src/config.ts'
import { SETTINGS as insights } from '../services/insights/src/config.ts'

const code = (value) => `\`${value}\``

function valuesOf(setting) {
  const { schemes = [] } = setting
  if ('whole' in setting) return `${setting.whole[1]} to ${setting.whole[2]}${setting.unit ? ` ${setting.unit}` : ''}`
  if ('words' in setting) return setting.words.map(code).join(', ')
  if ('flag' in setting) return '`true`, `false`'
  if ('list' in setting) return `list with commas${setting.unit ? `, in ${setting.unit}` : ''}`
  return schemes.length > 0 ? schemes.map((scheme) => code(`${scheme}//`)).join(', ') : 'text'
}

function defaultOf(setting) {
  if ('whole' in setting) return code(setting.whole[0])
  if ('words' in setting) return code(setting.words[0])
  if ('flag' in setting) return '`false`'
  if ('list' in setting && setting.list.length > 0) return code(setting.list.join(','))
  if ('text' in setting) return code(setting.text)
  return 'required' in setting ? 'required' : 'none'
}

function rowOf(name, setting) {
  const other = insights[name]
  const fallback = other && functions[name] && defaultOf(other) !== defaultOf(setting) ? ` (insights: ${defaultOf(other)})` : ''
  const service = functions[name] === undefined ? 'insights' : other === undefined ? 'functions' : 'both'
  const file = setting.secret ? `, or ${code(`${name}_FILE`)}` : ''
  return `| ${code(name)}${file} | ${service} | ${defaultOf(setting)}${fallback} | ${valuesOf(setting)} | ${setting.meaning} |`
}

const entries = Object.entries({ ...insights, ...functions })
const table = (belongs) =>
  [
    '| Setting | Service | Default | Values | Meaning |',
    '|---|---|---|---|---|',
    ...entries.filter(([, setting]) => belongs(setting)).map(([name, setting]) => rowOf(name, setting)),
  ].join('\n')

process.stdout.write(`# Settings

The environment variables that the services read. \`infra/make-config.mjs\` writes this page from the tables in the code, so change those.
[.env.example](../.env.example) has the variables of \`docker-compose.yml\`, which passes most of these settings on.

- An empty value means the default. A service does not start with a value that it does not allow, and names the setting.
- \`NAME_FILE\` is the path of a file with the value of a secret. Set one of both names.
- A service warns once at its start about a variable that is probably meant as a setting, such as \`CALL_TIMOUT_MS\`.
- Migrations need only \`DATABASE_URL\`, or \`DATABASE_DIRECT_URL\`.

${table((setting) => 'required' in setting)}

## Optional

${table((setting) => !('required' in setting) && !setting.development)}

## For development only

${table((setting) => setting.development)}
`)
