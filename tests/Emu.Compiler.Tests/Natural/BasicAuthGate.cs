using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Looks for credentials in requests of HTTP (RFC 7617), decodes base64, and lets the users pass that are not
/// locked. Of each user the name's hash is taken, up to the colon.
/// </summary>
public sealed class BasicAuthGate(ushort port, params string[] locked) : Service
{
    private const int LongestCredentials = 96;

    private readonly uint[] _locked = [.. locked.Select(Hash)];

    public Counter Anonymous { get; } = new();

    public Counter Users { get; } = new();

    public Counter Locked { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == port
            && tcp.Payload.Length > 0 && !MayPass(tcp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(ReadOnlySpan<byte> request)
    {
        var at = request.IndexOf("\r\nAuthorization: Basic "u8);
        if (at < 0)
        {
            Anonymous.Increment();
            return true;
        }
        var credentials = request[(at + 23)..];
        var hash = 2166136261u;
        uint bits = 0;
        var count = 0;
        for (var i = 0; i < credentials.Length && i < LongestCredentials; i++)
        {
            if (!TryDecode(credentials[i], out var digit)) break;
            bits = bits << 6 | digit;
            count += 6;
            if (count < 8) continue;
            count -= 8;
            var c = (byte)(bits >> count);
            if (c == ':')
            {
                Users.Increment();
                foreach (var user in _locked)
                {
                    if (user != hash) continue;
                    Locked.Increment();
                    return false;
                }
                return true;
            }
            hash = (hash ^ c) * 16777619;
        }
        Malformed.Increment();
        return false;
    }

    private static bool TryDecode(byte c, out uint digit)
    {
        if (c is >= (byte)'A' and <= (byte)'Z') digit = (uint)(c - 'A');
        else if (c is >= (byte)'a' and <= (byte)'z') digit = (uint)(c - 'a' + 26);
        else if (c is >= (byte)'0' and <= (byte)'9') digit = (uint)(c - '0' + 52);
        else if (c == '+') digit = 62;
        else if (c == '/') digit = 63;
        else
        {
            digit = 0;
            return false;
        }
        return true;
    }

    /// <summary>FNV-1a.</summary>
    private static uint Hash(string name)
    {
        var hash = 2166136261u;
        foreach (var c in name) hash = (hash ^ (byte)c) * 16777619;
        return hash;
    }
}
