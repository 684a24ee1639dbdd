// Finds names, those that begin with what is typed first, then the words about them.
const field = document.getElementById("search");
const found = document.getElementById("found");
const most = 40;

function rank(entry, words) {
  const name = entry[0].toLowerCase();
  const last = name.slice(name.lastIndexOf(".") + 1);
  const all = name + " " + entry[2].toLowerCase();
  if (!words.every(word => all.includes(word))) return -1;
  if (last === words[0]) return 0;
  if (last.startsWith(words[0])) return 1;
  return name.includes(words[0]) ? 2 : 3;
}

field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(word => word !== "");
  found.replaceChildren();
  if (words.length === 0) return;
  const ranked = names.map(entry => [rank(entry, words), entry]).filter(([place]) => place >= 0);
  ranked.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length);
  for (const [, entry] of ranked.slice(0, most)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = entry[1];
    link.textContent = entry[0];
    item.append(link, " ", entry[2]);
    found.append(item);
  }
  if (ranked.length === 0) found.append("Nothing is named so.");
});
