/** Maps the verbs that documents use to the verbs that function names begin with. */
export const VERBS: ReadonlyMap<string, string> = new Map(
  [
    ...['list', 'get', 'create', 'update', 'delete', 'search', 'find', 'fetch', 'retrieve', 'read', 'replace', 'add', 'remove', 'set'],
    ...['send', 'post', 'put', 'patch', 'upload', 'download', 'import', 'export', 'start', 'stop', 'cancel', 'close', 'open', 'reopen'],
    ...['merge', 'move', 'copy', 'clone', 'fork', 'archive', 'unarchive', 'restore', 'lock', 'unlock', 'enable', 'disable', 'activate'],
    ...['deactivate', 'approve', 'reject', 'decline', 'accept', 'invite', 'join', 'leave', 'assign', 'unassign', 'attach', 'detach'],
    ...['publish', 'unpublish', 'share', 'unshare', 'follow', 'unfollow', 'star', 'unstar', 'pin', 'unpin', 'mark', 'mute', 'unmute'],
    ...['check', 'verify', 'validate', 'confirm', 'test', 'run', 'execute', 'trigger', 'invoke', 'retry', 'rerun', 'refresh', 'reset'],
    ...['revoke', 'rotate', 'generate', 'render', 'convert', 'calculate', 'count', 'query', 'lookup', 'compare', 'batch', 'bulk', 'sync'],
    ...['submit', 'schedule', 'register', 'login', 'logout', 'authorize', 'grant', 'connect', 'disconnect', 'transfer', 'request'],
    ...['capture', 'refund', 'pay', 'charge', 'void', 'finalize', 'complete', 'finish', 'place', 'remind', 'record', 'subscribe'],
    ...[
      'unsubscribe',
      'rename',
      'resend',
      'reply',
      'react',
      'kick',
      'ban',
      'unban',
      'block',
      'unblock',
      'hide',
      'unhide',
      'link',
      'unlink',
    ],
    ...['redeliver', 'ping', 'dispatch', 'review', 'dismiss', 'approve', 'edit', 'modify', 'change', 'save', 'store', 'purge', 'clear'],
    ...['preview', 'estimate', 'apply', 'commit', 'rollback', 'provision', 'configure', 'undelete', 'tag', 'untag', 'convert', 'enroll'],
    ...['unarchive', 'redact', 'recover', 'end', 'pause', 'resume', 'reorder', 'append', 'push', 'pull', 'watch', 'unwatch', 'view'],
  ].map((verb) => [verb, preferred(verb)]),
)

function preferred(verb: string): string {
  switch (verb) {
    case 'fetch':
    case 'retrieve':
    case 'read':
      return 'get'
    case 'modify':
    case 'patch':
      return 'update'
    default:
      return verb
  }
}

/** Nouns that mean a verb at the end of an id, as in `conversations_info`. */
export const LAST_VERBS: ReadonlyMap<string, string> = new Map([
  ['info', 'get'],
  ['index', 'list'],
  ['show', 'get'],
  ['destroy', 'delete'],
  ['insert', 'create'],
])

/** Words that may stand inside a name, as in `list-issues-for-repo`. */
export const PREPOSITIONS: ReadonlySet<string> = new Set(['for', 'by', 'to', 'from', 'in', 'on', 'of', 'with', 'at', 'as', 'and'])
