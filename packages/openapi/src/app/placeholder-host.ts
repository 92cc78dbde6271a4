/** Labels that a customer replaces, as in `your-domain.vendor.com`. */
const REPLACED =
  /^(?:example\d*|sample|placeholder|subdomain|tenant|acme|foo|bar|x{3,}|change-?me|your.*|my-?(?:account|api|app|company|domain|host|instance|org|organi[sz]ation|server|shop|site|store|subdomain|team|tenant|workspace)(?:-?(?:name|id|here))?)$/i

/** Further placeholder labels. Vendors use them as subdomains, but no API has one of them as its domain. */
const NO_DOMAIN = /^(?:company|customer|domain|domainname|host|hostname|localhost|org|server|site|somewhere|test|website)$/i

/** Names that have no meaning outside one network. A name below `.example` or `.invalid` cannot be registered, so it receives nothing. */
const LOCAL: ReadonlySet<string> = new Set(['home', 'internal', 'intranet', 'lan', 'local', 'localdomain', 'localhost', 'test'])

/** Sites where people publish documents about the APIs of others: a relative URL in such a document does not mean the site. */
const DOCUMENT_SITE = new RegExp(
  [
    '(?:^|\\.)(?:apis\\.guru|bitbucket\\.org|gitee\\.com|github\\.com|github\\.io|githubusercontent\\.com|gitlab\\.com|jsdelivr\\.net)$',
    '(?:^|\\.)(?:readme\\.io|stoplight\\.io|storage\\.googleapis\\.com|swaggerhub\\.com|unpkg\\.com|blob\\.core\\.windows\\.net)$',
    '(?:^|[.-])s3[.-].*amazonaws\\.com$',
  ].join('|'),
  'i',
)

/** Returns whether a host, with or without a port, is a placeholder or not a public name. */
export function isPlaceholderHost(host: string): boolean {
  const labels = labelsOf(host.replace(/:\d*$/, ''))
  const domain = labels[domainAt(labels)]
  const top = labels.at(-1) ?? ''
  if (domain === undefined || domain.includes('{') || !/[a-z]/i.test(top)) return true
  return LOCAL.has(top.toLowerCase()) || REPLACED.test(domain) || NO_DOMAIN.test(domain)
}

/** Returns the host with `replace` applied to each label in front of its domain that a customer has to replace. */
export function replacePlaceholders(host: string, replace: (label: string) => string): string {
  const labels = labelsOf(host)
  const end = domainAt(labels)
  return labels.map((label, index) => (index < end && REPLACED.test(label) ? replace(label) : label)).join('.')
}

/** Whether a document at this host says nothing about the host of the API that it describes. */
export function isDocumentSite(host: string): boolean {
  return DOCUMENT_SITE.test(host)
}

/** Splits a host at its dots, but not inside a tag such as `{account.region}`. */
function labelsOf(host: string): string[] {
  return host.split(/\.(?![^{}]*\})/)
}

/** Returns the index of the label that an owner registers: `vendor` in `api.vendor.com` and in `api.vendor.co.uk`. */
function domainAt(labels: readonly string[]): number {
  const [second = '', top = ''] = labels.slice(-2)
  return labels.length - (top.length === 2 && /^(?:ac|co|com|edu|gov|ne|net|or|org)$/i.test(second) ? 3 : 2)
}
