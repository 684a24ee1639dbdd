using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Counts what clients of Redis ask for by the command of each request, an array of strings of RESP, and lets no
/// command through that clears or configures a server.
/// </summary>
public sealed class RedisGuard(ushort port = 6379) : Service
{
    private const int MaxArguments = 1024, MaxCommand = 16;

    public Counter Gets { get; } = new();

    public Counter Sets { get; } = new();

    public Counter Deletes { get; } = new();

    public Counter Others { get; } = new();

    public Counter Blocked { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)
            && tcp.DestinationPort == port && tcp.Payload.Length > 0 && !MayPass(tcp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(ReadOnlySpan<byte> request)
    {
        if (!TryReadNumber(request, (byte)'*', out var arguments, out var start) || arguments is 0 or > MaxArguments
            || !TryReadNumber(request[start..], (byte)'$', out var length, out var name) || length is 0 or > MaxCommand
            || start + name + length + 2 > request.Length)
        {
            Malformed.Increment();
            return false;
        }
        var command = request.Slice(start + name, length);
        if (Is(command, "flushall"u8) || Is(command, "flushdb"u8) || Is(command, "config"u8))
        {
            Blocked.Increment();
            return false;
        }
        if (Is(command, "get"u8) || Is(command, "mget"u8)) Gets.Increment();
        else if (Is(command, "set"u8) || Is(command, "setex"u8)) Sets.Increment();
        else if (Is(command, "del"u8)) Deletes.Increment();
        else Others.Increment();
        return true;
    }

    /// <summary>Reads a line of a letter and a number, and says where the next begins.</summary>
    private static bool TryReadNumber(ReadOnlySpan<byte> text, byte kind, out int number, out int next)
    {
        number = 0;
        next = 0;
        if (text.Length == 0 || text[0] != kind) return false;
        var at = 1;
        while (at < text.Length && text[at] is >= (byte)'0' and <= (byte)'9')
        {
            number = number * 10 + text[at] - '0';
            if (number > 100_000) return false;
            at++;
        }
        if (at == 1 || at + 2 > text.Length || text[at] != '\r' || text[at + 1] != '\n') return false;
        next = at + 2;
        return true;
    }

    private static bool Is(ReadOnlySpan<byte> command, ReadOnlySpan<byte> name)
    {
        if (command.Length != name.Length) return false;
        for (var i = 0; i < name.Length; i++)
            if ((command[i] | 0x20) != name[i]) return false;
        return true;
    }
}
