namespace Emu.Services.Zones;

/// <summary>An answer as it stands behind the question.</summary>
/// <param name="Start">The first of its bytes among those of all answers.</param>
/// <param name="Length">Its bytes without what may be left out.</param>
/// <param name="FullLength">Its bytes with the additional records that are of use.</param>
/// <param name="Answers">Records of the answer section.</param>
/// <param name="Authorities">Records of the authority section.</param>
/// <param name="Additionals">Records of the additional section that must be there: glue.</param>
/// <param name="FullAdditionals">All of its records.</param>
/// <param name="NameLength">The bytes of the name that it is prepared for.</param>
/// <param name="FirstPointer">The first of its pointers among those of all answers.</param>
/// <param name="Pointers">The number of its pointers.</param>
/// <param name="IsAuthoritative">AA.</param>
/// <param name="DoesNameExist">False for NXDOMAIN.</param>
/// <param name="FullSum">The ones' complement sum of <paramref name="FullLength"/> bytes.</param>
internal readonly record struct PreparedAnswer(
    int Start, ushort Length, ushort FullLength, ushort Answers, ushort Authorities, ushort Additionals,
    ushort FullAdditionals, byte NameLength, int FirstPointer, ushort Pointers, bool IsAuthoritative,
    bool DoesNameExist, ushort FullSum);
