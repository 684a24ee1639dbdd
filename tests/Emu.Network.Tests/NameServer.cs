using System.Net;
using System.Net.Sockets;

namespace Emu.Network.Tests;

/// <summary>A name server that answers every question for an address with that of who asks (RFC 1035 §4).</summary>
internal static class NameServer
{
    private const int HeaderLength = 12;
    private const int LongestQuery = 512;

    /// <summary>Waits for one query and answers it.</summary>
    public static void AnswerOne(Socket server)
    {
        EndPoint client = new IPEndPoint(IPAddress.Any, 0);
        var query = new byte[LongestQuery];
        server.ReceiveFrom(query, ref client);
        server.SendTo(Answer(query, ((IPEndPoint)client).Address), client);
    }

    private static byte[] Answer(byte[] query, IPAddress address)
    {
        var questionLength = Array.IndexOf(query, (byte)0, HeaderLength) + 1 + 4 - HeaderLength;
        // A response that is authoritative, one question, one answer; whatever else the query had is left out.
        byte[] header = [.. query[..2], 0x84, 0x00, 0, 1, 0, 1, 0, 0, 0, 0];
        // The name of the question, type A, class IN, a minute, four bytes.
        byte[] answer = [0xC0, HeaderLength, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, .. address.GetAddressBytes()];
        return [.. header, .. query.AsSpan(HeaderLength, questionLength), .. answer];
    }
}
