using Emu.Protocols;
using Message = Emu.Protocols.Dns;

namespace Emu.Services;

/// <summary>The part of an answer that its header says.</summary>
/// <param name="Code">RCODE.</param>
/// <param name="IsAuthoritative">AA.</param>
/// <param name="IsTruncated">TC.</param>
internal readonly record struct DnsOutcome(DnsResponseCode Code, bool IsAuthoritative, bool IsTruncated)
{
    /// <summary>An answer without records has none in any section.</summary>
    public static void ClearRecords(Message message)
    {
        message.AnswerCount = 0;
        message.AuthorityCount = 0;
        message.AdditionalCount = 0;
    }

    /// <summary>RFC 1035 §4.1.1; RD and CD are those of the question (RFC 4035 §3.2.2).</summary>
    public void Write(Message message)
    {
        message.IsResponse = true;
        message.IsAuthoritative = IsAuthoritative;
        message.IsTruncated = IsTruncated;
        message.RecursionAvailable = false;
        message.AuthenticData = false;
        message.ResponseCode = Code;
    }
}
