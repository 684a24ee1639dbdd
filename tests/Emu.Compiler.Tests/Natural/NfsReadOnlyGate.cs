using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Makes NFS version 3 over UDP read-only for all but one host: calls that would change something are answered with
/// NFS3ERR_ROFS (RFC 1813 §2.6) in the server's place, and never reach it.
/// </summary>
/// <remarks>
/// Clients are at port 0, the server at port 1. Calls of other versions are dropped, other traffic passes.
/// </remarks>
/// <example>--administrator 10.0.0.250</example>
/// <param name="administrator">The host that may write.</param>
public sealed class NfsReadOnlyGate(IPv4Address administrator) : Service
{
    private const ushort Port = 2049;
    private const uint NfsProgram = 100_003;
    private const uint ReadOnlyFileSystem = 30;
    private const int MaxAuthLength = 400; // RFC 5531 §8.2

    private enum Procedure : uint
    {
        SetAttr = 2, Write = 7, Create = 8, MkDir = 9, SymLink = 10, MkNod = 11, Remove = 12, RmDir = 13, Rename = 14,
        Link = 15, Commit = 21,
    }

    private static readonly PortId s_clients = new(0), s_server = new(1);

    /// <summary>Calls that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Calls answered, since they would have changed something.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Messages dropped: no call of NFS 3.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_server)
        {
            frame.ForwardTo(s_clients);
            return;
        }
        if (!UdpDatagram.TryParse(frame, out var datagram) || datagram.IsIPv6 || datagram.DestinationPort != Port)
        {
            frame.ForwardTo(s_server);
            return;
        }

        var call = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        if (!IsNfsCall(call, out var procedure))
        {
            Malformed.Increment();
        }
        else if (ResultWords(procedure) == 0 || datagram.SourceBits(frame) == administrator.Bits)
        {
            Passed.Increment();
            frame.ForwardTo(s_server);
        }
        else
        {
            Refused.Increment();
            Refuse(ref frame, datagram, ResultWords(procedure));
        }
    }

    /// <summary>True if it is a call of NFS 3 with whole credentials (RFC 5531 §9).</summary>
    private static bool IsNfsCall(Span<byte> call, out Procedure procedure)
    {
        procedure = default;
        if (call.Length < 40 || call.GetUInt32(4) != 0 || call.GetUInt32(8) != 2
            || call.GetUInt32(12) != NfsProgram || call.GetUInt32(16) != 3)
            return false;
        procedure = (Procedure)call.GetUInt32(20);

        var credential = call.GetUInt32(28);
        if (credential > MaxAuthLength) return false;
        var verifier = 32 + (int)(credential + 3 & ~3u);
        if (verifier + 8 > call.Length) return false;
        var length = call.GetUInt32(verifier + 4);
        return length <= MaxAuthLength && verifier + 8 + length <= call.Length;
    }

    /// <summary>
    /// The words behind the status of a failed call, none of them there: attributes before and after of what it is
    /// about; 0 of a call that changes nothing.
    /// </summary>
    private static int ResultWords(Procedure procedure) => procedure switch
    {
        Procedure.SetAttr or Procedure.Write or Procedure.Create or Procedure.MkDir or Procedure.SymLink
            or Procedure.MkNod or Procedure.Remove or Procedure.RmDir or Procedure.Commit => 2,
        Procedure.Link => 3,
        Procedure.Rename => 4,
        _ => 0,
    };

    /// <summary>Answers with an accepted reply, whose result is the error.</summary>
    private static void Refuse(ref Frame frame, UdpDatagram datagram, int resultWords)
    {
        const int header = 24;
        var length = header + 4 + 4 * resultWords;
        var reply = frame.Bytes[datagram.Offset..];
        reply.SetUInt32(4, 1); // a reply, behind the number of the call
        reply.Slice(8, 16).Clear(); // accepted, no verifier, success
        reply.SetUInt32(header, ReadOnlyFileSystem);
        reply.Slice(header + 4, 4 * resultWords).Clear();
        datagram.Reply(ref frame, length);
    }
}
