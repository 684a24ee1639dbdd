-- Shows the direction packets of Emu (docs/direction-packets.md) in Wireshark and tshark:
-- tshark -X lua_script:tools/wireshark/direction.lua -r requests.pcap

local direction = Proto("emu_direction", "Emu direction")

local kinds = { [1] = "begin", [2] = "status", [3] = "describe", [4] = "read", [5] = "write", [6] = "continue" }
local statuses = {
    [0] = "done", [1] = "unknown version", [2] = "unknown kind", [3] = "old session", [4] = "old sequence",
    [5] = "unknown name", [6] = "index out of range", [7] = "not writable", [8] = "too wide", [9] = "bad length",
    [10] = "not taken", [11] = "not stopped",
}
local shown = {
    [0] = "number", [1] = "number with sign", [2] = "Boolean", [3] = "MAC address", [4] = "IPv4 address",
    [5] = "IPv6 address", [6] = "set of ports", [7] = "probe", [8] = "place",
}

local fields = {
    version = ProtoField.uint8("emu_direction.version", "Version"),
    reply = ProtoField.bool("emu_direction.reply", "Reply", 8, nil, 0x80),
    kind = ProtoField.uint8("emu_direction.kind", "Kind", base.DEC, kinds, 0x7F),
    status = ProtoField.uint8("emu_direction.status", "Status", base.DEC, statuses),
    length = ProtoField.uint16("emu_direction.length", "Length"),
    session = ProtoField.uint32("emu_direction.session", "Session"),
    sequence = ProtoField.uint32("emu_direction.sequence", "Sequence"),
    tag = ProtoField.uint64("emu_direction.tag", "Tag", base.HEX),
    name = ProtoField.uint32("emu_direction.name", "Name (FNV-1a), or part", base.HEX),
    index = ProtoField.uint32("emu_direction.index", "Index, or number"),
    value = ProtoField.bytes("emu_direction.value", "Value"),
    number = ProtoField.uint64("emu_direction.number", "Time, or fresh number", base.HEX),
    shown = ProtoField.uint8("emu_direction.shown", "Shown as", base.DEC, shown),
    width = ProtoField.uint8("emu_direction.width", "Width"),
    writable = ProtoField.bool("emu_direction.writable", "Writable", 8, nil, 0x01),
    stopped = ProtoField.bool("emu_direction.stopped", "Stopped", 8, nil, 0x01),
    elements = ProtoField.uint32("emu_direction.elements", "Elements"),
}
direction.fields = fields

local layout = {
    { "version", 0, 1 }, { "reply", 1, 1 }, { "kind", 1, 1 }, { "status", 2, 1 }, { "length", 4, 2 },
    { "session", 8, 4 }, { "sequence", 12, 4 }, { "tag", 16, 8 }, { "name", 24, 4 }, { "index", 28, 4 },
    { "value", 32, 16 }, { "number", 48, 8 }, { "shown", 56, 1 }, { "width", 57, 1 }, { "writable", 58, 1 },
    { "stopped", 59, 1 }, { "elements", 60, 4 },
}
local LENGTH = 64

function direction.dissector(buffer, packet, tree)
    if buffer:len() < LENGTH then return 0 end
    local kind = buffer(1, 1):uint()
    packet.cols.protocol = "EMU"
    packet.cols.info = (kinds[kind % 0x80] or "unknown") .. (kind >= 0x80 and " answered" or "")
        .. ", session " .. buffer(8, 4):uint() .. ", sequence " .. buffer(12, 4):uint()
    local subtree = tree:add(direction, buffer(0, LENGTH))
    for _, field in ipairs(layout) do subtree:add(fields[field[1]], buffer(field[2], field[3])) end
    return LENGTH
end

DissectorTable.get("ethertype"):add(0x88B5, direction)
