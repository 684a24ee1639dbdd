"""Packets from scapy and packets seen by scapy, for ScapyTests.cs.

    scapy_packets.py generate SEED COUNT PCAP JSON   makes packets and says what their fields are
    scapy_packets.py dissect PCAP JSON               says what the fields of somebody else's packets are

The JSON is a list with one list of [name, value] pairs a packet; names are those of Wireshark's display filters.
"""
import json
import logging
import random
import sys

logging.getLogger("scapy.runtime").setLevel(logging.ERROR)
from scapy.all import (  # noqa: E402
    ARP, ICMP, IP, IPv6, LLC, TCP, UDP, Dot1AD, Dot1Q, Dot3, Ether, ICMPv6DestUnreach, ICMPv6EchoReply, ICMPv6EchoRequest, ICMPv6ND_NA,
    ICMPv6ND_NS, ICMPv6NDOptDstLLAddr, ICMPv6NDOptMTU, ICMPv6NDOptPrefixInfo, ICMPv6NDOptSrcLLAddr, ICMPv6PacketTooBig, ICMPv6TimeExceeded,
    IPOption_EOL, IPOption_MTU_Probe, IPOption_NOP, IPOption_Router_Alert, IPOption_RR, IPOption_Security, IPOption_Stream_Id,
    IPOption_Timestamp, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting, PadN, Raw, RouterAlert, checksum,
    in4_chksum, in6_chksum, raw, rdpcap, wrpcap)
from scapy.layers.inet import TCPOptions  # noqa: E402

EXPERIMENTAL = 253  # RFC 3692

# --- what the fields of a packet are ---------------------------------------------------------------------------------------------------


def hexa(value):
    return "0x%x" % value


def fields(packet):
    """The [name, value] pairs of a dissected packet."""
    out = []
    layer = packet
    while layer and type(layer).__name__ not in ("NoPayload", "Padding"):
        reader = READERS.get(type(layer))
        if reader is None:
            break
        ends = reader(out, layer)
        if ends:
            break
        layer = layer.payload
    return [[name, str(value)] for name, value in out]


def data(out, name, octets):
    if octets:
        out.append((name, octets.hex()))


def read_ethernet(out, e):
    out += [("eth.dst", e.dst), ("eth.src", e.src)]
    out.append(("eth.len", e.len) if isinstance(e, Dot3) else ("eth.type", hexa(e.type)))
    return opaque(out, e, 14, None if isinstance(e, Dot3) else e.type)


def read_tag(out, tag):
    name = "ieee8021ad" if isinstance(tag, Dot1AD) else "vlan"
    out += [(name + ".priority", tag.prio), (name + ".dei", tag.id), (name + ".id", tag.vlan)]
    out.append((name + ".len", tag.type) if tag.type <= 1500 else (name + ".etype", hexa(tag.type)))
    return opaque(out, tag, 4, tag.type)


def opaque(out, layer, header, ethertype):
    """Of an EtherType that nobody knows, all that follows is data."""
    if ethertype is None or ethertype <= 1500 or ethertype in (0x0800, 0x0806, 0x8100, 0x86DD, 0x88A8):
        return False
    data(out, "data.data", layer.original[header:])
    return True


def read_llc(out, llc):
    out += [("llc.dsap", hexa(llc.dsap)), ("llc.ssap", hexa(llc.ssap)), ("llc.control", hexa(llc.ctrl))]
    below = llc.underlayer
    length = below.len if isinstance(below, Dot3) else below.type
    data(out, "data.data", llc.original[3:length])
    return True


def read_arp(out, arp):
    out += [("arp.opcode", arp.op), ("arp.src.hw_mac", arp.hwsrc), ("arp.src.proto_ipv4", arp.psrc), ("arp.dst.hw_mac", arp.hwdst),
            ("arp.dst.proto_ipv4", arp.pdst)]
    return True


def status(layer, protocol):
    """1 if scapy finds the checksum of an upper layer right, else 0."""
    below = layer.underlayer
    octets = layer.original
    return int((in4_chksum if isinstance(below, IP) else in6_chksum)(protocol, below, octets) == 0)


def read_ipv4(out, ip):
    flags = int(ip.flags)
    out += [("ip.hdr_len", ip.ihl * 4), ("ip.dsfield.dscp", ip.tos >> 2), ("ip.dsfield.ecn", ip.tos & 3), ("ip.len", ip.len),
            ("ip.id", hexa(ip.id)), ("ip.flags.rb", flags >> 2 & 1), ("ip.flags.df", flags >> 1 & 1), ("ip.flags.mf", flags & 1),
            ("ip.frag_offset", ip.frag), ("ip.ttl", ip.ttl), ("ip.proto", ip.proto), ("ip.checksum", hexa(ip.chksum)),
            ("ip.checksum.status", int(checksum(ip.original[:ip.ihl * 4]) == 0)), ("ip.src", ip.src), ("ip.dst", ip.dst)]
    for option in ip.options:
        if option.option == 0:
            break
        out.append(("ip.opt.type", option.copy_flag << 7 | option.optclass << 5 | option.option))
        if option.option != 1:
            out.append(("ip.opt.len", option.length))
    if flags & 1 or ip.frag or ip.proto == EXPERIMENTAL:
        data(out, "data.data", ip.original[ip.ihl * 4:ip.len])
        return True
    return False


def read_ipv6(out, ip):
    out += [("ipv6.tclass.dscp", ip.tc >> 2), ("ipv6.tclass.ecn", ip.tc & 3), ("ipv6.flow", hexa(ip.fl)), ("ipv6.plen", ip.plen),
            ("ipv6.nxt", ip.nh), ("ipv6.hlim", ip.hlim), ("ipv6.src", ip.src), ("ipv6.dst", ip.dst)]
    return other_upper_layer(out, ip.nh, ip.original[40:40 + ip.plen])


def other_upper_layer(out, protocol, octets):
    if protocol != EXPERIMENTAL:
        return False
    data(out, "data.data", octets)
    return True


def read_extension(name):
    def read(out, header):
        length = 8 + header.len * 8
        out += [(name + ".nxt", header.nh), (name + ".len_oct", length)]
        return other_upper_layer(out, header.nh, header.original[length:])
    return read


def read_fragment_header(out, header):
    out += [("ipv6.fraghdr.nxt", header.nh), ("ipv6.fraghdr.offset", header.offset), ("ipv6.fraghdr.more", header.m)]
    if header.m or header.offset:
        data(out, "data.data", header.original[8:])
        return True
    return other_upper_layer(out, header.nh, header.original[8:])


def read_icmp(out, icmp):
    out += [("icmp.type", icmp.type), ("icmp.code", icmp.code), ("icmp.checksum", hexa(icmp.chksum)),
            ("icmp.checksum.status", int(checksum(icmp.original) == 0))]
    if icmp.type in (0, 8, 13, 14):
        out += [("icmp.ident", icmp.id), ("icmp.seq", icmp.seq)]
    data(out, "data.data", icmp.original[8:])
    return True


def read_icmpv6(out, icmp):
    out += [("icmpv6.type", icmp.type), ("icmpv6.code", icmp.code), ("icmpv6.checksum", hexa(icmp.cksum)),
            ("icmpv6.checksum.status", status(icmp, 58))]
    if icmp.type in (128, 129):
        out += [("icmpv6.echo.identifier", icmp.id), ("icmpv6.echo.sequence_number", icmp.seq)]
    if icmp.type == 135:
        out.append(("icmpv6.nd.ns.target_address", icmp.tgt))
        read_neighbor_options(out, icmp)
    elif icmp.type == 136:
        out += [("icmpv6.nd.na.flag.r", icmp.R), ("icmpv6.nd.na.flag.s", icmp.S), ("icmpv6.nd.na.flag.o", icmp.O),
                ("icmpv6.nd.na.target_address", icmp.tgt)]
        read_neighbor_options(out, icmp)
    else:
        data(out, "data.data", icmp.original[8:])
    return True


def read_neighbor_options(out, icmp):
    option = icmp.payload
    while option and hasattr(option, "type"):
        out += [("icmpv6.opt.type", option.type), ("icmpv6.opt.length", option.len)]
        if option.type in (1, 2):
            out.append(("icmpv6.opt.linkaddr", option.lladdr))
        option = option.payload


def read_udp(out, udp):
    out += [("udp.srcport", udp.sport), ("udp.dstport", udp.dport), ("udp.length", udp.len), ("udp.checksum", hexa(udp.chksum)),
            ("udp.checksum.status", status(udp, 17) if udp.chksum else 3)]
    data(out, "udp.payload", udp.original[8:udp.len])
    return True


def read_tcp(out, tcp):
    out += [("tcp.srcport", tcp.sport), ("tcp.dstport", tcp.dport), ("tcp.seq_raw", tcp.seq), ("tcp.ack_raw", tcp.ack),
            ("tcp.hdr_len", tcp.dataofs * 4), ("tcp.flags", hexa(int(tcp.reserved) << 9 | int(tcp.flags))),
            ("tcp.window_size_value", tcp.window), ("tcp.checksum", hexa(tcp.chksum)),
            ("tcp.checksum.status", status(tcp, 6)), ("tcp.urgent_pointer", tcp.urgptr)]
    for name, value in tcp.options:
        if name == "EOL":
            break
        out.append(("tcp.option_kind", TCPOptions[1].get(name, name)))
        if name == "MSS":
            out.append(("tcp.options.mss_val", value))
        elif name == "WScale":
            out.append(("tcp.options.wscale.shift", value))
        elif name == "Timestamp":
            out += [("tcp.options.timestamp.tsval", value[0]), ("tcp.options.timestamp.tsecr", value[1])]
    data(out, "tcp.payload", tcp.original[tcp.dataofs * 4:])
    return True


READERS = {
    Ether: read_ethernet, Dot3: read_ethernet, Dot1Q: read_tag, Dot1AD: read_tag, LLC: read_llc, ARP: read_arp, IP: read_ipv4,
    IPv6: read_ipv6, IPv6ExtHdrHopByHop: read_extension("ipv6.hopopts"), IPv6ExtHdrRouting: read_extension("ipv6.routing"),
    IPv6ExtHdrDestOpt: read_extension("ipv6.dstopts"), IPv6ExtHdrFragment: read_fragment_header, ICMP: read_icmp, UDP: read_udp, TCP: read_tcp,
    ICMPv6EchoRequest: read_icmpv6, ICMPv6EchoReply: read_icmpv6, ICMPv6ND_NS: read_icmpv6, ICMPv6ND_NA: read_icmpv6,
    ICMPv6DestUnreach: read_icmpv6, ICMPv6PacketTooBig: read_icmpv6, ICMPv6TimeExceeded: read_icmpv6,
}

# --- packets ---------------------------------------------------------------------------------------------------------------------------


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def octets(self, most=120):
        return self.r.randbytes(self.r.randrange(most))

    def number(self, bits):
        return self.r.getrandbits(bits)

    def mac(self):
        return ":".join("%02x" % octet for octet in self.r.randbytes(6))

    def ipv4(self):
        return ".".join(str(octet) for octet in self.r.randbytes(4))

    def ipv6(self):
        return ":".join("%x" % (self.number(16) | 0x1000) for _ in range(8))

    def port(self):
        return self.r.randrange(49152, 65536)

    def packet(self):
        kind = self.r.randrange(12)
        ethernet = Ether(dst=self.mac(), src=self.mac())
        if kind == 0:
            return Dot3(dst=self.mac(), src=self.mac()) / LLC(dsap=0x58, ssap=0x5C, ctrl=3) / Raw(self.octets())
        if kind == 1:
            return Ether(dst=self.mac(), src=self.mac(), type=0x88B5) / Raw(self.octets())  # IEEE 802: local experiments
        for tag in self.r.choice([[], [], [Dot1Q], [Dot1AD, Dot1Q]]):
            ethernet /= tag(prio=self.number(3), id=self.number(1), vlan=self.number(12))
        if kind == 2:
            return ethernet / ARP(op=self.r.choice([1, 2]), hwsrc=self.mac(), psrc=self.ipv4(), hwdst=self.mac(), pdst=self.ipv4()) / Raw(bytes(18))
        return ethernet / (self.over_ipv4() if kind < 8 else self.over_ipv6())

    def over_ipv4(self):
        ip = IP(tos=self.number(8), id=self.number(16), flags=self.number(2) << 1, ttl=self.number(8), src=self.ipv4(), dst=self.ipv4(),
                options=self.ip_options())
        kind = self.r.randrange(6)
        if kind == 0:
            ip.proto = EXPERIMENTAL
            ip.flags = self.number(3)
            ip.frag = self.number(13)
            return ip / Raw(self.octets())
        if kind == 1:
            return ip / self.icmp()
        return ip / (self.udp(True) if kind < 3 else self.tcp())

    def ip_options(self):
        options, room = [], 40
        for _ in range(self.r.randrange(5)):
            option = self.r.choice([
                IPOption_NOP(), IPOption_RR(routers=[self.ipv4() for _ in range(self.r.randrange(1, 4))]), IPOption_Router_Alert(),
                IPOption_Security(security=self.number(16), compartment=self.number(16)), IPOption_Stream_Id(security=self.number(16)),
                IPOption_Timestamp(flg=0, timestamp=self.number(32)), IPOption_MTU_Probe(mtu=self.number(16)),
            ])
            if len(option) <= room:
                options.append(option)
                room -= len(option)
        if options and room and self.number(1):
            options.append(IPOption_EOL())
        return options

    def icmp(self):
        kind = self.r.choice([0, 8, 3, 4, 5, 11, 12, 13, 14])
        icmp = ICMP(type=kind, code=self.number(2) if kind in (3, 5, 11) else 0)
        if kind in (0, 8, 13, 14):
            icmp.id, icmp.seq = self.number(16), self.number(16)
            return icmp / Raw(self.octets())
        if kind == 5:
            icmp.gw = self.ipv4()
        return icmp / IP(src=self.ipv4(), dst=self.ipv4()) / UDP(sport=self.port(), dport=self.port()) / Raw(self.octets())

    def udp(self, may_lack_checksum=False):
        udp = UDP(sport=self.port(), dport=self.port())
        if may_lack_checksum and self.number(2) == 0:
            udp.chksum = 0
        return udp / Raw(self.octets())

    def tcp(self):
        options, room = [], 40
        for _ in range(self.r.randrange(7)):
            option, length = self.r.choice([
                (("NOP", None), 1), (("MSS", self.number(16)), 4), (("WScale", self.r.randrange(15)), 3), (("SAckOK", b""), 2),
                (("SAck", (self.number(32), self.number(32))), 10), (("Timestamp", (self.number(32), self.number(32))), 10),
                ((254, self.r.randbytes(6)), 8),
            ])
            if length <= room:
                options.append(option)
                room -= length
        if options and room and self.number(1):
            options.append(("EOL", None))
        return TCP(sport=self.port(), dport=self.port(), seq=self.number(32), ack=self.number(32), reserved=self.number(3),
                   flags=self.number(9), window=self.number(16), urgptr=self.number(16), options=options) / Raw(self.octets())

    def over_ipv6(self):
        packet = IPv6(tc=self.number(8), fl=self.number(20), hlim=self.number(8), src=self.ipv6(), dst=self.ipv6())
        if self.number(2) == 0:
            packet /= IPv6ExtHdrHopByHop(options=[RouterAlert(value=0), PadN(optdata=bytes(self.r.randrange(9)))])
        if self.number(2) == 0:
            packet /= IPv6ExtHdrRouting(addresses=[self.ipv6()], segleft=0)
        if self.number(2) == 0:
            packet /= IPv6ExtHdrDestOpt(options=[PadN(optdata=bytes(self.r.randrange(30)))])
        kind = self.r.randrange(6)
        if kind == 0:
            return packet / IPv6ExtHdrFragment(nh=EXPERIMENTAL, offset=self.r.randrange(1, 8192), m=self.number(1), id=self.number(32)) / Raw(self.octets())
        if kind == 1:
            packet /= IPv6ExtHdrFragment(offset=0, m=0, id=self.number(32))
        if kind < 4:
            return packet / self.icmpv6()
        return packet / (self.udp() if kind == 4 else self.tcp())

    def icmpv6(self):
        kind = self.r.randrange(6)
        options = [ICMPv6NDOptSrcLLAddr(lladdr=self.mac()), ICMPv6NDOptDstLLAddr(lladdr=self.mac()), ICMPv6NDOptMTU(mtu=self.number(32)),
                   ICMPv6NDOptPrefixInfo(prefix=self.ipv6())]
        if kind == 0:
            message = ICMPv6ND_NS(tgt=self.ipv6())
        elif kind == 1:
            message = ICMPv6ND_NA(R=self.number(1), S=self.number(1), O=self.number(1), tgt=self.ipv6())
        elif kind == 2:
            inner = IPv6(src=self.ipv6(), dst=self.ipv6()) / UDP(sport=self.port(), dport=self.port()) / Raw(self.octets())
            return self.r.choice([ICMPv6DestUnreach(code=self.number(2)), ICMPv6PacketTooBig(mtu=self.number(32)), ICMPv6TimeExceeded()]) / inner
        else:
            return self.r.choice([ICMPv6EchoRequest, ICMPv6EchoReply])(id=self.number(16), seq=self.number(16), data=self.octets())
        for option in self.r.sample(options, self.r.randrange(4)):
            message /= option
        return message


def generate(seed, count, pcap, out):
    generator = Generator(int(seed))
    frames = [raw(generator.packet()) for _ in range(int(count))]
    wrpcap(pcap, [Raw(frame) for frame in frames], linktype=1)
    dissect(pcap, out)


def dissect(pcap, out):
    with open(out, "w") as file:
        json.dump([fields(packet) for packet in rdpcap(pcap)], file)


if __name__ == "__main__":
    {"generate": generate, "dissect": dissect}[sys.argv[1]](*sys.argv[2:])
