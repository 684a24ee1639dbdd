# Runs a command in a repository with a private /tmp, for programs that clear it: isolated.sh REPOSITORY COMMAND...
# In mount, network and process namespaces of its own, as unshare(1) makes them.
set -e
root=$1
shift
mount -t tmpfs tmpfs /mnt
mkdir /mnt/repository
mount --bind "$root" /mnt/repository
mount -t tmpfs tmpfs /tmp
mkdir -p "$root"
mount --bind /mnt/repository "$root"
ip link set lo up
cd "$root"
exec "$@"
