using Emu.Protocols;

namespace Emu.Services;

/// <content>The ends of a packet on the other side, and the way there.</content>
public sealed partial class Nat
{
    /// <summary>Finds both ends of a packet as they are called on the other side.</summary>
    private void Translate(ref Frame frame, Ethernet ethernet, IPv4 ip, Arrival packet)
    {
        var (source, destination) = (packet.Flow.Source, packet.Flow.Destination);
        var isReached = !packet.IsToInside || Mappings.TryFind(packet.Flow.Destination, frame.Seconds, out destination);
        if (!packet.IsFromInside) Mappings.Follow(packet, frame.Seconds);
        else if (Mappings.TryMap(packet, frame.Seconds, out var port))
        {
            source = new Endpoint(source.Protocol, _outside, port);
            if (!packet.IsError)
                _sessions?.Set(SessionOf(packet.Flow.Source, packet.Flow.Destination), 0, frame.Seconds);
        }
        else
        {
            if (packet.MayBegin) NoPort.Increment();
            else Unmapped.Increment();
            return;
        }
        if (!isReached) Unmapped.Increment();
        else if (packet.IsToInside && !MayAnswer(destination, source, frame.Seconds)) Filtered.Increment();
        else Forward(ref frame, ethernet, ip, packet, new Flow(source, destination));
    }

    /// <summary>Translates a fragment that has no ports as the one that had them (RFC 4787 REQ-14).</summary>
    private void FollowFirst(ref Frame frame, Ethernet ethernet, IPv4 ip, bool isFromInside)
    {
        if (!_fragments!.TryGet(new FragmentKey(isFromInside, ip), frame.Seconds, out var first)) Fragments.Increment();
        else
        {
            var packet = new Arrival(
                Flow.WithoutPorts(ip.Source, ip.Destination),
                TcpFlags.None,
                false,
                isFromInside,
                ip.Destination == _outside);
            Forward(ref frame, ethernet, ip, packet, Flow.WithoutPorts(first.Source, first.Destination));
        }
    }

    /// <summary>Sends a packet with other ends to the next hop.</summary>
    private void Forward(ref Frame frame, Ethernet ethernet, IPv4 ip, Arrival packet, Flow after)
    {
        var nextHop = packet.IsToInside || IsNeighbor(after.Destination.Address) ? after.Destination.Address : _gateway;
        if (!Neighbors.TryGet(new NeighborKey(packet.IsToInside, nextHop), frame.Seconds, out var mac))
            Ask(ref frame, nextHop, packet);
        else
        {
            // A packet without ports is a part behind the first, which would set the same again:
            // each begins the time anew.
            if (ip.MoreFragments)
                _fragments?.Set(
                    new FragmentKey(packet.IsFromInside, ip),
                    new FragmentEnds(after.Source.Address, after.Destination.Address),
                    frame.Seconds);
            Rewrite(ip, packet, after);
            ethernet.Destination = mac;
            ethernet.Source = _mac;
            if (!packet.IsToInside) Outbound.Increment();
            else if (packet.IsFromInside) Hairpinned.Increment();
            else Inbound.Increment();
            Send(ref frame, packet);
        }
    }

    private static void Send(ref Frame frame, Arrival packet)
    {
        if (packet.IsToInside == packet.IsFromInside) frame.Reply();
        else frame.ForwardTo(packet.IsToInside ? s_insidePort : s_outsidePort);
    }

    private Session SessionOf(Endpoint inside, Endpoint remote) =>
        new(
            inside,
            _filtering == Filtering.AddressDependent ? new Endpoint(remote.Protocol, remote.Address, 0) : remote);

    private bool MayAnswer(Endpoint inside, Endpoint remote, ulong seconds) =>
        _sessions is null || _sessions.TryGet(SessionOf(inside, remote), seconds, out _);
}
