# The first process of a site: a switch in namespaces of its own. Everything ends with it, and it ends with its input.
# Arguments: the folder of the machines, and their names.
set -euo pipefail
folder=$1
shift
ip link set lo up
ip link add switch type bridge
ip address add 192.0.2.1/24 dev switch
ip address add 192.0.2.3/24 dev switch
ip link set switch up
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/shared"
chmod 755 "$folder"
for name in "$@"; do
  mkdir -p "$folder/$name/upper" "$folder/$name/work" "$folder/$name/root"
  mount -t overlay overlay "$folder/$name/root" \
    -o "lowerdir=/,upperdir=$folder/$name/upper,workdir=$folder/$name/work"
done
echo ready
read -r || true
