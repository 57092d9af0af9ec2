# The first process of a machine: its root is an overlay of this computer's, and what it changes vanishes with it.
# Arguments: the folder of the machines, its name, the name of the other one, the project, and the project before it.
set -euo pipefail
folder=$1 name=$2 peer=$3 project=$4 older=$5
cd "$folder/$name/root"
hostname "$name"
ip link set lo up
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
# As Debian has it, and what the office's DNS would answer.
cat > etc/hosts <<END
127.0.0.1 localhost
127.0.1.1 $name
192.0.2.3 s3.example
END
echo "$name" > etc/hostname
install -d -o postgres -g postgres -m 2775 run/postgresql
cp usr/share/postgresql-common/createcluster.conf etc/postgresql-common/
rm -rf etc/echotop var/lib/echotop opt/echotop
mkdir -p opt/echotop-0.1.0 opt/echotop-0.2.0 srv/mrms peer
mount --bind "$older" opt/echotop-0.1.0
mount --bind "$project" opt/echotop-0.2.0
mount -o remount,bind,ro opt/echotop-0.1.0
mount --bind "$project/electron/services/deploy" opt/echotop-0.1.0/electron/services/deploy
mount -o remount,bind,ro opt/echotop-0.2.0
mount --bind "$folder/shared" srv/mrms
mount --bind "$folder/$peer/root" peer
cp "$project"/e2e/service/machines/inside/shims/* usr/local/sbin/
chmod 755 usr/local/sbin/*
exec chroot . /bin/bash -c 'echo ready; read -r || true'
