using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A tap for web applications: the two sides pass as through a wire, and each HTTP request with a session cookie is
/// copied to one of two analysers, all requests of a session to the same one. Requests that have no session yet go to
/// both.
/// </summary>
/// <param name="cookie">The name of the session's cookie.</param>
/// <param name="port">The port of the web servers.</param>
/// <param name="left">The port of the clients' side.</param>
/// <param name="right">The port of the servers' side.</param>
/// <param name="even">The port of the first analyser.</param>
/// <param name="odd">The port of the second analyser.</param>
public sealed class SessionTap(
    string cookie = "SESSIONID", ushort port = 80, int left = 0, int right = 1, int even = 2, int odd = 3) : Service
{
    private const uint FnvOffset = 2166136261;
    private const uint FnvPrime = 16777619;

    private readonly byte[] _name = System.Text.Encoding.ASCII.GetBytes(cookie + "=");
    private readonly PortId _left = new(left);
    private readonly PortId _right = new(right);
    private readonly PortSet _even = PortSet.Of(new PortId(even));
    private readonly PortSet _odd = PortSet.Of(new PortId(odd));

    /// <summary>Requests of a session.</summary>
    public Counter Requests { get; } = new();

    /// <summary>Requests of a session that the second analyser has got.</summary>
    public Counter ToOdd { get; } = new();

    /// <summary>Requests without a session.</summary>
    public Counter Strangers { get; } = new();

    /// <summary>Frames that are no request.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == _left) frame.ForwardTo(_right);
        else if (frame.Ingress == _right) frame.ForwardTo(_left);
        else return;

        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)
            || tcp.DestinationPort != port || !IsRequest(tcp.Payload))
        {
            Others.Increment();
            return;
        }

        if (!TryHashSession(tcp.Payload, out var hash))
        {
            Strangers.Increment();
            frame.Send(_even | _odd);
            return;
        }
        Requests.Increment();
        if ((hash & 1) != 0)
        {
            ToOdd.Increment();
            frame.Send(_odd);
        }
        else
        {
            frame.Send(_even);
        }
    }

    private static bool IsRequest(ReadOnlySpan<byte> text) =>
        text.StartsWith("GET "u8) || text.StartsWith("POST "u8) || text.StartsWith("HEAD "u8)
        || text.StartsWith("PUT "u8) || text.StartsWith("DELETE "u8);

    /// <summary>Finds the cookie in the header field Cookie (RFC 6265 §4.2), and hashes its value (FNV-1a).</summary>
    private bool TryHashSession(ReadOnlySpan<byte> request, out uint hash)
    {
        hash = FnvOffset;
        var field = request.IndexOf("\r\nCookie: "u8);
        if (field < 0) return false;
        var line = request[(field + 10)..];
        var end = line.IndexOf("\r\n"u8);
        if (end < 0) return false;
        line = line[..end];

        var start = line.IndexOf(_name);
        if (start < 0 || (start > 0 && line[start - 1] != ' ')) return false;
        var value = line[(start + _name.Length)..];
        for (var i = 0; i < value.Length && value[i] != ';'; i++) hash = (hash ^ value[i]) * FnvPrime;
        hash ^= hash >> 16;
        return true;
    }
}
