using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stands in front of a collector of logs, and lets JSON through only if its brackets and strings are well-formed and
/// it is nested no deeper than the collector's parser bears (RFC 8259 §2, §7 and §9; GELF 1.1 over UDP).
/// </summary>
/// <remarks>
/// What is compressed, and parts of messages in chunks, cannot be looked into: they pass, and are counted.
/// </remarks>
/// <param name="port">The UDP port of the collector.</param>
/// <param name="maxDepth">The most objects and arrays inside one another, 1 to 64.</param>
public sealed class JsonDepthGuard(ushort port = 12201, int maxDepth = 16) : Service
{
    private const ushort Gzip = 0x1F8B, Chunk = 0x1E0F;
    private const byte Zlib = 0x78;

    private enum Verdict
    {
        WellFormed,
        Opaque,
        TooDeep,
        Malformed,
    }

    /// <summary>Messages that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Messages that passed unseen: compressed, or in chunks.</summary>
    public Counter Opaque { get; } = new();

    /// <summary>Messages dropped: nested too deeply.</summary>
    public Counter TooDeep { get; } = new();

    /// <summary>Messages dropped: no JSON.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Parts of datagrams dropped: what they hold is not known.</summary>
    public Counter Fragments { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp) return;
        if (ip.IsFragment)
        {
            Fragments.Increment();
            frame.Drop();
            return;
        }
        if (!Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port) return;

        switch (Check(udp.Payload))
        {
            case Verdict.WellFormed:
                Passed.Increment();
                break;
            case Verdict.Opaque:
                Opaque.Increment();
                break;
            case Verdict.TooDeep:
                TooDeep.Increment();
                frame.Drop();
                break;
            default:
                Malformed.Increment();
                frame.Drop();
                break;
        }
    }

    private Verdict Check(Span<byte> text)
    {
        if (text.Length < 2) return Verdict.Malformed;
        if (text.GetUInt16(0) is Gzip or Chunk || text[0] == Zlib) return Verdict.Opaque;
        if (text[0] != '{') return Verdict.Malformed; // GELF is an object

        var kinds = 0ul; // a bit for each level, the innermost lowest: 1 for an object
        var (depth, hexDigits) = (0, 0);
        var (isString, isEscape, isOver) = (false, false, false);
        foreach (var letter in text)
        {
            if (isString)
            {
                if (hexDigits > 0)
                {
                    if (!IsHexDigit(letter)) return Verdict.Malformed;
                    hexDigits--;
                }
                else if (isEscape)
                {
                    isEscape = false;
                    if (letter == 'u') hexDigits = 4;
                    else if ("\"\\/bfnrt"u8.IndexOf(letter) < 0) return Verdict.Malformed;
                }
                else if (letter == '\\') isEscape = true;
                else if (letter == '"') isString = false;
                else if (letter < ' ') return Verdict.Malformed;
                continue;
            }
            if (letter is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n') continue;
            if (isOver) return Verdict.Malformed;
            switch ((char)letter)
            {
                case '"':
                    isString = true;
                    break;
                case '{' or '[':
                    if (depth == maxDepth) return Verdict.TooDeep;
                    kinds = kinds << 1 | (letter == '{' ? 1u : 0u);
                    depth++;
                    break;
                case '}' or ']':
                    if ((kinds & 1) != (letter == '}' ? 1u : 0u)) return Verdict.Malformed;
                    kinds >>= 1;
                    depth--;
                    isOver = depth == 0;
                    break;
                case ':':
                    if ((kinds & 1) == 0) return Verdict.Malformed;
                    break;
                case ',':
                    break;
                default:
                    if (!IsOfLiteral(letter)) return Verdict.Malformed;
                    break;
            }
        }
        return isOver ? Verdict.WellFormed : Verdict.Malformed;
    }

    private static bool IsHexDigit(byte letter) =>
        letter is (>= (byte)'0' and <= (byte)'9') or (>= (byte)'a' and <= (byte)'f') or (>= (byte)'A' and <= (byte)'F');

    /// <summary>True if a number, true, false or null may have the letter.</summary>
    private static bool IsOfLiteral(byte letter) =>
        letter is (>= (byte)'0' and <= (byte)'9') or (>= (byte)'a' and <= (byte)'z')
            or (byte)'+' or (byte)'-' or (byte)'.' or (byte)'E';
}
