#!/bin/sh
# Restores the backup in the folder $1, which backup.sh made, into empty databases; only functions or only insights with $2. Stop the service
# first. A database that has tables is never touched.
#
#   BACKUP_IDENTITY     file with the secret key of age, for an encrypted backup
#   POSTGRES_RUN, FUNCTIONS_DATABASE, INSIGHTS_DATABASE   as for backup.sh
set -eu
umask 077
backup=$(cd "${1:?usage: infra/restore.sh BACKUP [functions|insights]}" && pwd)
cd "$(dirname "$0")/.."
run=${POSTGRES_RUN:-docker compose exec -T postgres}

read_dump() {
  if [ -f "$backup/$1.dump.age" ]; then
    age --decrypt --identity "${BACKUP_IDENTITY:?set BACKUP_IDENTITY to the file with the secret key}" "$backup/$1.dump.age"
  else
    cat "$backup/$1.dump"
  fi
}
restore() {
  tables=$($run psql --no-psqlrc --tuples-only --no-align --dbname "$2" \
    --command "select count(*) from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace")
  if [ "$tables" != 0 ]; then
    echo "the database of $1 has tables; restore into an empty one" >&2
    exit 1
  fi
  # One transaction: a restore that fails leaves the database empty.
  read_dump "$1" | $run pg_restore --exit-on-error --single-transaction --dbname "$2"
  echo "$1 is restored"
}

(cd "$backup" && sha256sum --quiet --check SHA256SUMS)
what=${2:-both}
case $what in both | functions | insights) ;; *) echo "there is no database $what" >&2; exit 2 ;; esac
[ "$what" = insights ] || restore functions "${FUNCTIONS_DATABASE:-user=postgres dbname=functions}"
[ "$what" = functions ] || restore insights "${INSIGHTS_DATABASE:-user=postgres dbname=insights}"
time=$(basename "$backup" | sed 's/T\(..\)\(..\)\(..\)Z/T\1:\2:\3Z/')
echo "Start the services, then run: onward reconcile --since $time"
