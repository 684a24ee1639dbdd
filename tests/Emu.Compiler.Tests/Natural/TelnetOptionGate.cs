using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stands between two networks and lets Telnet negotiate only the options that are allowed (RFC 854, RFC 855): any
/// other command WILL, WON'T, DO or DON'T is overwritten in place by no-operations, and a segment with a
/// subnegotiation of another option, as of NEW-ENVIRON with a user name in it, is dropped.
/// </summary>
/// <param name="allowed">The numbers of the options that may be negotiated.</param>
/// <param name="port">The port of the Telnet servers.</param>
public sealed class TelnetOptionGate(byte[] allowed, ushort port = 23) : Service
{
    private const byte Iac = 255;
    private const byte Will = 251;
    private const byte Dont = 254;
    private const byte SubnegotiationBegin = 250;
    private const byte SubnegotiationEnd = 240;
    private const byte NoOperation = 241;
    private const byte Null = 0;

    private enum State : byte
    {
        Data,
        Command,
        Option,
        Subnegotiation,
        Parameters,
        ParametersCommand,
    }

    private readonly bool[] _isAllowed = Allow(allowed);

    /// <summary>Segments of Telnet that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Commands that were overwritten.</summary>
    public Counter Neutralized { get; } = new();

    /// <summary>Segments dropped for a subnegotiation that is not allowed.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Segments that end in the midst of a command.</summary>
    public Counter Unfinished { get; } = new();

    /// <summary>Other frames.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)
            || (tcp.SourcePort != port && tcp.DestinationPort != port))
        {
            Others.Increment();
            return;
        }

        if (!TryClean(tcp.Payload, out var overwritten))
        {
            Refused.Increment();
            frame.Drop();
            return;
        }
        if (overwritten > 0)
        {
            Neutralized.Add((ulong)overwritten);
            tcp.WriteChecksum(ip);
        }
        Passed.Increment();
    }

    private static bool[] Allow(byte[] options)
    {
        var isAllowed = new bool[256];
        foreach (var option in options) isAllowed[option] = true;
        return isAllowed;
    }

    /// <summary>Overwrites the commands that are not allowed.</summary>
    /// <returns>False if there is a subnegotiation that is not allowed.</returns>
    private bool TryClean(Span<byte> text, out int overwritten)
    {
        overwritten = 0;
        var state = State.Data;
        for (var i = 0; i < text.Length; i++)
        {
            var value = text[i];
            switch (state)
            {
                case State.Data:
                    if (value == Iac) state = State.Command;
                    break;
                case State.Command:
                    state = value switch
                    {
                        >= Will and <= Dont => State.Option,
                        SubnegotiationBegin => State.Subnegotiation,
                        _ => State.Data,
                    };
                    break;
                case State.Option:
                    if (!_isAllowed[value])
                    {
                        text[i - 1] = NoOperation;
                        text[i] = Null;
                        overwritten++;
                    }
                    state = State.Data;
                    break;
                case State.Subnegotiation:
                    if (!_isAllowed[value]) return false;
                    state = State.Parameters;
                    break;
                case State.Parameters:
                    if (value == Iac) state = State.ParametersCommand;
                    break;
                default:
                    state = value == SubnegotiationEnd ? State.Data : State.Parameters;
                    break;
            }
        }
        if (state != State.Data) Unfinished.Increment();
        return true;
    }
}
