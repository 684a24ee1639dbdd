using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets only well-formed log messages to a collector: the header's fields and their lengths, the elements of structured
/// data with their names and escaped values, and only text behind them (RFC 5424 §6, RFC 5426 §3).
/// </summary>
/// <remarks>The collector is at port 1.</remarks>
/// <param name="maxElements">The most elements of structured data in a message.</param>
public sealed class StructuredDataGuard(int maxElements = 8) : Service
{
    private const ushort SyslogPort = 514;
    private const int MaxPriority = 191;
    private const int MaxName = 32;

    private static readonly PortId s_collector = new(1);
    private static readonly byte[] s_limits = [32, 255, 48, 128, 32];

    private enum State
    {
        Open, Priority, Version, Fields, Data, Id, Parameter, Quote, Value, Escape, Next, Behind, Message,
    }

    /// <summary>Messages that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Of these, those that had structured data.</summary>
    public Counter Structured { get; } = new();

    /// <summary>Messages dropped.</summary>
    public Counter Refused { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == SyslogPort)
        {
            if (!IsWellFormed(udp.Payload, out var elements))
            {
                Refused.Increment();
                return;
            }
            Passed.Increment();
            if (elements > 0) Structured.Increment();
        }
        frame.ForwardTo(s_collector);
    }

    private bool IsWellFormed(ReadOnlySpan<byte> text, out int elements)
    {
        elements = 0;
        var (state, number, length, field) = (State.Open, 0, 0, 0);
        foreach (var letter in text)
        {
            switch (state)
            {
                case State.Open:
                    if (letter != '<') return false;
                    state = State.Priority;
                    break;
                case State.Priority when letter == '>':
                    if (length == 0 || number > MaxPriority) return false;
                    state = State.Version;
                    length = 0;
                    break;
                case State.Priority:
                    if (letter is < (byte)'0' or > (byte)'9' || ++length > 3) return false;
                    number = number * 10 + letter - '0';
                    break;
                case State.Version when letter == ' ':
                    if (length != 1) return false;
                    state = State.Fields;
                    length = 0;
                    break;
                case State.Version:
                    if (letter != '1' || ++length > 1) return false;
                    break;
                case State.Fields when letter == ' ':
                    if (length == 0) return false;
                    length = 0;
                    if (++field == s_limits.Length) state = State.Data;
                    break;
                case State.Fields:
                    if (letter is < 33 or > 126 || ++length > s_limits[field]) return false;
                    break;
                case State.Data:
                    if (letter is not ((byte)'-' or (byte)'[')) return false;
                    state = letter == '-' ? State.Behind : State.Id;
                    if (letter == '[') elements++;
                    break;
                case State.Id or State.Parameter when IsNameLetter(letter):
                    if (++length > MaxName) return false;
                    break;
                case State.Id:
                    if (length == 0 || letter is not ((byte)' ' or (byte)']')) return false;
                    state = letter == ' ' ? State.Parameter : State.Behind;
                    length = 0;
                    break;
                case State.Parameter:
                    if (length == 0 || letter != '=') return false;
                    state = State.Quote;
                    length = 0;
                    break;
                case State.Quote:
                    if (letter != '"') return false;
                    state = State.Value;
                    break;
                case State.Value:
                    if (letter == ']') return false;
                    if (letter == '\\') state = State.Escape;
                    else if (letter == '"') state = State.Next;
                    break;
                case State.Escape:
                    state = State.Value;
                    break;
                case State.Next:
                    if (letter is not ((byte)' ' or (byte)']')) return false;
                    state = letter == ' ' ? State.Parameter : State.Behind;
                    break;
                case State.Behind when letter == '[' && elements > 0:
                    if (++elements > maxElements) return false;
                    state = State.Id;
                    break;
                case State.Behind:
                    if (letter != ' ') return false;
                    state = State.Message;
                    break;
                default:
                    if (letter is < 32 and not 9) return false;
                    break;
            }
        }
        return state is State.Behind or State.Message;
    }

    private static bool IsNameLetter(byte letter) => letter is > 32 and < 127
        and not ((byte)'=' or (byte)']' or (byte)'"');
}
