# SPDX-License-Identifier: MIT
# Maps of one's own: 60 of 2 x 2 places and 3 channels in two classes, which differ in one place, and a photograph for each.
python3 -B "$SUPPORT/make_maps.py" maps.npy labels.txt
"$OTHERWISE" reproduce cub --quick --features maps.npy --labels labels.txt -o out --quiet
ls out
grep -o 'The feature maps are those given with --features' out/index.html | uniq -c
cut -d, -f1 out/results.csv

# A photograph of 24 x 16 pixels, a dark square on a light ground.
base64 -d >photo.jpg <<'END'
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5mo
q6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAQABgDASIAAhEB
AxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABAD/xAAeEAABAwUBAQAAAAAAAAAAAAASAAMRAgQTIUEFcf/EABUBAQEAAAAAAAAAAAAAAAAAAAIB/8QAFxEA
AwEAAAAAAAAAAAAAAAAAAAERIf/aAAwDAQACEQMRAD8AZcvYGKnRIY1MdRbb0c79LWISnZTz4lXLOdipohKNxPUW287A/S7lIZ0Mc+oqTRO3B6lKRKf/
2Q==
END
for i in $(seq 60); do echo photo.jpg; done >images.txt
"$OTHERWISE" reproduce cub --quick --features maps.npy --labels labels.txt --images images.txt -o out --quiet
ls out
grep -o 'wren to finch: the query, two-step, guided, FACE, nearest, a photograph of finch' out/index.html | uniq
# The same again with one thread, pictures too.
"$OTHERWISE" reproduce cub --quick --features maps.npy --labels labels.txt --images images.txt -o again --quiet --threads 1
python3 -B "$SUPPORT/same_report.py" out again

head -n 3 images.txt >few.txt
"$OTHERWISE" reproduce cub --quick --features maps.npy --labels labels.txt --images few.txt -o out
