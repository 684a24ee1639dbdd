using System.Numerics;
using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops segments to web servers in which one of some signatures stands anywhere, in small or capital letters and with
/// or without percent-encoding (RFC 3986 §2.1): all signatures are searched at once, bit by bit of a word (shift-and;
/// Baeza-Yates and Gonnet 1992).
/// </summary>
/// <remarks>
/// A signature that begins in one segment and ends in the next is not found. Servers are behind port 1, clients behind
/// port 0. Fragments towards the servers are dropped, since a signature could hide in them.
/// </remarks>
public sealed class WebFirewall : Service
{
    private static readonly PortId s_outside = new(0), s_servers = new(1);

    private readonly ushort _port;

    /// <summary>For each letter the places in the signatures where it stands.</summary>
    private readonly ulong[] _places = new ulong[256];

    private readonly ulong _first, _last;
    private readonly byte[] _signatureOf = new byte[64];
    private readonly uint[] _hits;

    /// <param name="signature">The signatures, in ASCII; 64 letters in all at most.</param>
    /// <param name="port">The TCP port of the servers.</param>
    public WebFirewall(string[] signature, ushort port = 80)
    {
        if (signature.Sum(text => text.Length) > 64 || signature.Any(text => text.Length == 0))
            throw new ArgumentException("signatures have 1 letter or more, and 64 in all at most", nameof(signature));
        _port = port;
        _hits = new uint[signature.Length];
        var place = 0;
        for (var i = 0; i < signature.Length; i++)
        {
            _first |= 1UL << place;
            foreach (var letter in Encoding.ASCII.GetBytes(signature[i].ToLowerInvariant()))
            {
                _places[letter] |= 1UL << place;
                _signatureOf[place++] = (byte)i;
            }
            _last |= 1UL << place - 1;
        }
    }

    /// <summary>Segments and fragments dropped.</summary>
    public Counter Blocked { get; } = new();

    /// <summary>Segments to the servers that passed.</summary>
    public Counter Clean { get; } = new();

    /// <summary>The number of times that each signature was found.</summary>
    public ReadOnlySpan<uint> Hits => _hits;

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_servers)
        {
            frame.ForwardTo(s_outside);
            return;
        }
        frame.ForwardTo(s_servers);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Tcp)
            return;
        if (ip.IsFragment)
        {
            Blocked.Increment();
            frame.Drop();
            return;
        }
        if (!Tcp.TryParse(ip.Payload, out var tcp) || tcp.DestinationPort != _port) return;
        if (TryFind(tcp.Payload, out var found))
        {
            _hits[found]++;
            Blocked.Increment();
            frame.Drop();
        }
        else
        {
            Clean.Increment();
        }
    }

    private bool TryFind(ReadOnlySpan<byte> text, out int signature)
    {
        signature = 0;
        ulong state = 0;
        for (var i = 0; i < text.Length; i++)
        {
            var letter = text[i];
            if (letter == '%' && i + 2 < text.Length
                && TryParseHex(text[i + 1], out var high) && TryParseHex(text[i + 2], out var low))
            {
                letter = (byte)(high << 4 | low);
                i += 2;
            }
            if (char.IsAsciiLetterUpper((char)letter)) letter |= 0x20;
            state = (state << 1 | _first) & _places[letter];
            if ((state & _last) == 0) continue;
            signature = _signatureOf[BitOperations.TrailingZeroCount(state & _last)];
            return true;
        }
        return false;
    }

    private static bool TryParseHex(byte digit, out int value)
    {
        value = digit switch
        {
            >= (byte)'0' and <= (byte)'9' => digit - '0',
            >= (byte)'a' and <= (byte)'f' => digit - 'a' + 10,
            >= (byte)'A' and <= (byte)'F' => digit - 'A' + 10,
            _ => -1,
        };
        return value >= 0;
    }
}
