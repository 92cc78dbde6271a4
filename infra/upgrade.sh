#!/bin/sh
# Upgrades functions and insights to the checked-out version without refusing a call: starts new containers beside the old ones, then stops
# the old ones. Also restarts Redis and reloads the gateway's configuration. If it was interrupted, `docker compose up --detach` removes
# surplus containers.
set -eu
cd "$(dirname "$0")/.."

for service in insights functions; do
  # Ends here if .env lacks a setting; Compose names it.
  running=$(docker compose ps --quiet "$service")
  if [ -z "$running" ]; then
    echo "$service is not running; run: docker compose up --detach --wait" >&2
    exit 1
  fi
done

docker compose build
# Without --no-deps, Compose would recreate Postgres if its settings have changed.
docker compose run --rm --no-deps functions-migrate
docker compose run --rm --no-deps insights-migrate
# Compose recreates the containers that depend on a container that it recreates, so the old ones of the migrations must be gone.
docker compose rm --force functions-migrate insights-migrate
# The new version may need new users or permissions in Redis. Compose does not notice changes of redis/start.sh.
docker compose up --detach --wait --no-deps --force-recreate redis

for service in insights functions; do
  old=$(docker compose ps --quiet "$service")
  count=$(docker compose ps --quiet "$service" | wc -l)
  docker compose up --detach --wait --no-recreate --scale "$service=$((2 * count))" "$service"
  # The gateway looks up the addresses every 5 s.
  sleep 15
  docker stop $old
  docker rm $old
done

# A gateway of version 0.1.0 cannot read the new configuration, so it is replaced.
docker compose exec -T gateway nginx -e stderr -s reload || docker compose up --detach --wait --no-deps gateway
