/** Nothing of the caller's: PGDATA, PGOPTIONS or a foreign locale would change what our server does and says. */
export const serverEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
